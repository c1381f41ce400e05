import { classes } from './classes.ts'
import { bare } from './readable-address.ts'

export { bare }

/** A short link in a row: in little space the domain is shortened, never the code. */
export function ShortAddress({ shortUrl }: { readonly shortUrl: string }) {
  const text = bare(shortUrl)
  const slash = Math.max(0, text.lastIndexOf('/'))
  return (
    <>
      <span className="plate-host min-w-0 shrink-[9999] truncate">{text.slice(0, slash)}</span>
      <span className="min-w-0 font-bold wrap-anywhere">{text.slice(slash)}</span>
    </>
  )
}

/** A short link on its signpost; the domain is dim. */
export function Plate({
  shortUrl,
  look = 'soft',
}: {
  readonly shortUrl: string
  readonly look?: 'soft' | 'strong' | 'faded'
}) {
  return (
    <span
      className={classes('plate', look === 'faded' && 'plate-faded', look === 'strong' && 'plate-strong')}
      title={shortUrl}
    >
      <ShortAddress shortUrl={shortUrl} />
    </span>
  )
}
