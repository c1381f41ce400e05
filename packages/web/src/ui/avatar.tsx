const characters = new Intl.Segmenter()

/** The first user-perceived character: an emoji is several units of a string. */
const initialOf = (word: string): string =>
  characters.segment(word).containing(0)?.segment.toUpperCase() ?? ''

export function Avatar({
  name,
  image,
  size,
}: {
  readonly name: string
  readonly image: string | null
  readonly size: number
}) {
  const letters = name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((word) => initialOf(word))
    .join('')
  return image === null ? (
    <svg aria-hidden width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
      <circle cx="16" cy="16" r="16" className="fill-brand-soft" />
      <text
        x="16"
        y="21"
        textAnchor="middle"
        fontSize="13"
        fontWeight="700"
        className="fill-brand-strong font-sans"
      >
        {letters}
      </text>
    </svg>
  ) : (
    <img
      src={image}
      alt=""
      width={size}
      height={size}
      className="shrink-0 rounded-full object-cover aspect-square"
    />
  )
}
