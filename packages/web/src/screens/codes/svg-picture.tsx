/** An SVG in an <img>, so that its content cannot affect the page. */
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
