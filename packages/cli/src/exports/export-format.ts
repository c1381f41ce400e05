import type { Client, Link } from '@waymark/sdk'

/** A link that a format cannot express. */
export interface SkippedLink {
  readonly short_url: string
  readonly reason: string
}

/** What an export holds. */
export interface Exported {
  readonly content: string
  readonly links: number
  readonly skipped: readonly SkippedLink[]
}

/** Which links to export; those of `export-links`. */
export type ExportFilter = NonNullable<Parameters<Client['exportLinks']>[0]>

/** Every link of the filter; tells how many it has read. */
export async function readLinks(
  client: Client,
  filter: ExportFilter,
  onProgress: (done: number, total: number) => void,
): Promise<Link[]> {
  const links: Link[] = []
  for await (const { data, meta } of client.links(filter).pages()) {
    links.push(...data)
    onProgress(links.length, meta.total)
  }
  return links
}
