import { isoTime } from '../../runtime/times.ts'
import type { LinkService } from '../links/links.service.ts'
import type { LinkRow } from '../links/links.store.ts'
import type { ImageUrls, Pictured } from './image-urls.ts'

/** A row of anything that is printed and scanned. */
interface CodeRow extends Pictured {
  readonly dynamic: number
  readonly encodes: string
  readonly warnings: string
  readonly created_at: number
  readonly updated_at: number
}

/** What the answers of all codes end with: what they say, where their pictures are, and what became of them. */
export const codeResponse = (
  { addresses, links }: { readonly addresses: ImageUrls; readonly links: LinkService },
  row: CodeRow,
  link: LinkRow | undefined,
) => ({
  dynamic: row.dynamic === 1,
  encodes: row.encodes,
  short_url: link === undefined ? null : links.shortUrl(link),
  image_url: addresses.png(row),
  svg_url: addresses.svg(row),
  scans: link?.clicks ?? 0,
  warnings: JSON.parse(row.warnings) as string[],
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
})
