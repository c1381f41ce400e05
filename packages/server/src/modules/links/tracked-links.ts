import type { LinkService, LinkOwner } from './links.service.ts'
import type { LinkRow } from './links.store.ts'

/** A row that can have a short link. */
interface Linked {
  readonly link_uuid: string | null
}

/** Looks up the links of several rows at once; returns a function for each row's link. */
export async function linksOf(
  links: LinkService,
  workspaceUuid: string,
  rows: readonly Linked[],
): Promise<(row: Linked) => LinkRow | undefined> {
  const found = await links.owned.findMany(
    workspaceUuid,
    rows.flatMap(({ link_uuid }) => link_uuid ?? []),
  )
  return ({ link_uuid }) => (link_uuid === null ? undefined : found.get(link_uuid))
}

/** The uuids of links that belong to the rows themselves: the code of a page shows a link that belongs to the page. */
export async function ownLinksOf(
  links: LinkService,
  workspaceUuid: string,
  rows: readonly (Linked & { readonly uuid: string })[],
): Promise<string[]> {
  const linkOf = await linksOf(links, workspaceUuid, rows)
  return rows.flatMap((row) => {
    const link = linkOf(row)
    return link?.owner_uuid === row.uuid ? [link.uuid] : []
  })
}

/** The state of a code before an edit. */
interface Before {
  readonly workspace_uuid: string
  readonly url: string
  readonly encodes: string
  readonly dynamic: number
  /** The short link that it has ever had, also while it is not dynamic: it may be printed. */
  readonly link_uuid: string | null
}

/** The text of a code, determined before it is drawn. */
export interface Tracking {
  readonly encodes: string
  readonly url: string
  readonly dynamic: boolean
  /** The short code of a link that has yet to be created. */
  readonly newShortCode: string | undefined
  readonly before: Before | undefined
}

/**
 * The short link behind a dynamic code: its destination can change after printing, the picture never does. It lasts as long as
 * the code, so printed codes keep working after `dynamic` is switched off.
 */
export class TrackedLinks {
  readonly #links: LinkService

  constructor(links: LinkService) {
    this.#links = links
  }

  async plan(url: string, dynamic: boolean, before?: Before): Promise<Tracking> {
    if (dynamic || moves(before, url)) this.#links.rejectLoop(url, 'url')
    if (!dynamic) return { encodes: url, url, dynamic, newShortCode: undefined, before }
    const encodes = await this.#shortUrlOf(before)
    if (encodes !== undefined) return { encodes, url, dynamic, newShortCode: undefined, before }
    const newShortCode = this.#links.newShortCode()
    return {
      encodes: this.#links.shortUrl({ domain: '', short_code: newShortCode }),
      url,
      dynamic,
      newShortCode,
      before,
    }
  }

  /** The text that a code encodes, or encodes again, for its existing link. */
  async #shortUrlOf(before: Before | undefined): Promise<string | undefined> {
    if (before === undefined || before.link_uuid === null) return undefined
    if (before.dynamic === 1) return before.encodes
    const linkOf = await linksOf(this.#links, before.workspace_uuid, [before])
    const link = linkOf(before)
    return link && this.#links.shortUrl(link)
  }

  /** Creates or changes the link; inside the owner's write. Returns its uuid. */
  async settle(
    workspaceUuid: string,
    owner: LinkOwner,
    { url, newShortCode, before }: Tracking,
  ): Promise<string | null> {
    if (newShortCode !== undefined)
      return (await this.#links.createOwned(workspaceUuid, owner, { url, shortCode: newShortCode })).uuid
    const linkUuid = before?.link_uuid ?? null
    if (linkUuid !== null && moves(before, url)) await this.#links.redirectOwned(workspaceUuid, linkUuid, url)
    return linkUuid
  }
}

/** Whether an existing link needs another destination. */
const moves = (before: Before | undefined, url: string): boolean =>
  before !== undefined && before.link_uuid !== null && before.url !== url
