import { classes } from './classes.ts'

/** An address without its scheme, as people read it. */
export const bare = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')

/** A short link on its signpost. */
export function Plate({
  shortUrl,
  isSpent = false,
}: {
  readonly shortUrl: string
  readonly isSpent?: boolean
}) {
  return (
    <span className={classes('plate', isSpent && 'plate-faded')} title={shortUrl}>
      <span className="truncate">{bare(shortUrl)}</span>
    </span>
  )
}
