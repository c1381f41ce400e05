import { classes } from './classes.ts'

/** An address without its scheme, as people read it. */
export const bare = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')

/** A short link on its signpost. Where there is little room the host gives way, never the code. */
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
      <span className="min-w-0 truncate">{text.slice(0, Math.max(0, slash))}</span>
      <span className="max-w-full shrink-0 truncate">{text.slice(Math.max(0, slash))}</span>
    </span>
  )
}
