import { classes } from './classes.ts'
import { bare } from './readable-address.ts'

export { bare }

/** A short link on its signpost: the domain is dim, and where there is little room it gives way, never the code. */
export function Plate({
  shortUrl,
  look = 'soft',
}: {
  readonly shortUrl: string
  readonly look?: 'soft' | 'strong' | 'faded'
}) {
  const text = bare(shortUrl)
  const slash = text.lastIndexOf('/')
  return (
    <span
      className={classes('plate', look === 'faded' && 'plate-faded', look === 'strong' && 'plate-strong')}
      title={shortUrl}
    >
      <span className="plate-host min-w-0 shrink-[9999] truncate">{text.slice(0, Math.max(0, slash))}</span>
      <span className="min-w-0 font-bold wrap-anywhere">{text.slice(Math.max(0, slash))}</span>
    </span>
  )
}
