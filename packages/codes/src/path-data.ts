/** A coordinate rounded to visible digits. */
export function decimal(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** Coordinates in their shortest form: a minus sign separates numbers as well as a space. */
export function coordinates(values: readonly number[]): string {
  return values.map(decimal).join(' ').replaceAll(' -', '-')
}

/** Where a quarter-circle arc is split in two, as a share of the radius. */
const HALF_ARC = Math.tan(Math.PI / 8)
const DIAGONAL = Math.SQRT1_2

/**
 * A rectangle with round corners, clockwise from the end of its top left arc. Each corner is two quadratic curves, which
 * differ from a circle by less than a thousandth of the radius and which all our formats can draw.
 */
export function roundedRectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
): string {
  const r = Math.min(radius, width / 2, height / 2)
  const across = width - 2 * r
  const down = height - 2 * r
  return (
    `M${coordinates([x + r, y])}${straight('h', across)}${corner(r, 1, 0, 0, 1)}${straight('v', down)}` +
    `${corner(r, 0, 1, -1, 0)}${straight('h', -across)}${corner(r, -1, 0, 0, -1)}${straight('v', -down)}` +
    `${corner(r, 0, -1, 1, 0)}z`
  )
}

function straight(letter: 'h' | 'v', length: number): string {
  return length === 0 ? '' : `${letter}${decimal(length)}`
}

/** A quarter turn from one direction into another, both of length 1. */
function corner(r: number, fromX: number, fromY: number, toX: number, toY: number): string {
  if (r === 0) return ''
  const [near, far, middle] = [r * HALF_ARC, r * DIAGONAL, r * (1 - DIAGONAL)]
  const first = [near * fromX, near * fromY, far * fromX + middle * toX, far * fromY + middle * toY]
  // The second curve mirrors the first one.
  const [endX, endY] = [r * (fromX + toX), r * (fromY + toY)]
  const [atX = 0, atY = 0] = first.slice(2)
  const second = [endX - near * toX - atX, endY - near * toY - atY, endX - atX, endY - atY]
  return `q${coordinates([...first, ...second])}`
}
