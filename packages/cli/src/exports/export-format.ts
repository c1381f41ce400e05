import type { Client } from '@waymark/sdk'
import { earlierCodesIn, type ExportedLink } from './earlier-codes.ts'
import type { LinkNote } from './redirect-rules.ts'

/** The result of an export. */
export interface Exported {
  readonly content: string
  /** Number of exported links. */
  readonly links: number
  /** Links that the format cannot express. */
  readonly skipped?: readonly LinkNote[]
  /** Links that lose something. */
  readonly simplified?: readonly LinkNote[]
}

/** The links to export; the filters of `export-links`. */
export type ExportFilter = NonNullable<Parameters<Client['exportLinks']>[0]>

/** Every link of the filter; reports how many have been read. */
export async function readLinks(
  client: Client,
  filter: ExportFilter,
  onProgress: (done: number, total: number) => void,
): Promise<ExportedLink[]> {
  const earlier = earlierCodesIn(await client.exportLinks(filter))
  const links: ExportedLink[] = []
  for await (const { data, meta } of client.links(filter).pages()) {
    links.push(...data.map((link) => ({ ...link, earlier_codes: earlier.get(link.uuid) ?? [] })))
    onProgress(links.length, meta.total)
  }
  return links
}
