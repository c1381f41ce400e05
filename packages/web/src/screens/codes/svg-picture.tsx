/** A picture as an image of its own: whatever is in it cannot touch the page. */
export function SvgPicture({
  svg,
  label,
  className,
}: {
  readonly svg: string
  readonly label: string
  readonly className?: string
}) {
  return (
    <img
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      alt={label}
      className={className ?? 'block h-auto w-full'}
    />
  )
}
