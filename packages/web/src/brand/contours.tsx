const RINGS = 11
const POINTS = 56

/** One contour line: a circle with a few slow waves, so that it looks like land. */
const ring = (index: number): string => {
  const base = 60 + index * 46
  const points = Array.from({ length: POINTS }, (_, step) => {
    const angle = (step / POINTS) * Math.PI * 2
    const wave =
      Math.sin(angle * 2 + index * 0.22) * 0.13 +
      Math.sin(angle * 3 - index * 0.31 + 1.3) * 0.09 +
      Math.sin(angle * 5 + index * 0.17 + 4) * 0.035
    const radius = base * (1 + wave)
    return [Math.cos(angle) * radius * 1.25, Math.sin(angle) * radius] as const
  })
  return smooth(points)
}

/** A closed curve through the midpoints of the given points. */
const smooth = (points: readonly (readonly [number, number])[]): string => {
  const at = (index: number): readonly [number, number] => points[index % points.length] ?? [0, 0]
  const middle = (index: number): string => {
    const [ax, ay] = at(index)
    const [bx, by] = at(index + 1)
    return `${((ax + bx) / 2).toFixed(1)} ${((ay + by) / 2).toFixed(1)}`
  }
  const curves = points.map((_, index) => {
    const [x, y] = at(index + 1)
    return `Q${x.toFixed(1)} ${y.toFixed(1)} ${middle(index + 1)}`
  })
  return `M${middle(0)}${curves.join('')}Z`
}

const rings = Array.from({ length: RINGS }, (_, index) => ring(index))

/** Contour lines of a map, as the background of an otherwise empty screen. */
export function Contours({ className }: { readonly className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="-400 -300 800 600"
      preserveAspectRatio="xMidYMid slice"
      className={className}
      fill="none"
      stroke="currentColor"
    >
      {rings.map((path, index) => (
        <path key={path} d={path} strokeWidth={index % 4 === 0 ? 1.6 : 0.8} />
      ))}
    </svg>
  )
}
