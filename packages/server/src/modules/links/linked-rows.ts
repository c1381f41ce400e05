import type { LinkService } from './links.service.ts'
import type { LinkRow } from './links.store.ts'

/** A row of something that may have a short link. */
interface Linked {
  readonly link_uuid: string | null
}

/** The links of several rows, looked up together. Responses then take that of each row. */
export async function linksOf(
  links: LinkService,
  userUuid: string,
  rows: readonly Linked[],
): Promise<(row: Linked) => LinkRow | undefined> {
  const found = await links.owned.findMany(
    userUuid,
    rows.flatMap(({ link_uuid }) => link_uuid ?? []),
  )
  return ({ link_uuid }) => (link_uuid === null ? undefined : found.get(link_uuid))
}

/** The uuids of links that belong to the rows themselves: the code of a page shows a link that is the page's. */
export async function ownLinksOf(
  links: LinkService,
  userUuid: string,
  rows: readonly (Linked & { readonly uuid: string })[],
): Promise<string[]> {
  const linkOf = await linksOf(links, userUuid, rows)
  return rows.flatMap((row) => {
    const link = linkOf(row)
    return link?.owner_uuid === row.uuid ? [link.uuid] : []
  })
}
