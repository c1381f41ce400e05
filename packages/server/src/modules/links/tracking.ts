import type { LinkOwner, LinkService } from './links.service.ts'

/** What a code had before an edit. */
interface Before {
  readonly url: string
  readonly encodes: string
  readonly link_uuid: string | null
}

/** What a code will say, settled before it is drawn. */
export interface Tracking {
  readonly encodes: string
  readonly url: string
  readonly dynamic: boolean
  /** The short code of a link that is still to be made. */
  readonly newShortCode: string | undefined
  readonly before: Before | undefined
}

/** The tracked short link behind a dynamic code: its destination can change after printing, the picture never. */
export class TrackedLinks {
  readonly #links: LinkService

  constructor(links: LinkService) {
    this.#links = links
  }

  plan(url: string, dynamic: boolean, before?: Before): Tracking {
    if (!dynamic) return { encodes: url, url, dynamic, newShortCode: undefined, before }
    this.#links.refuseLoop(url, 'url')
    if (before !== undefined && before.link_uuid !== null)
      return { encodes: before.encodes, url, dynamic, newShortCode: undefined, before }
    const newShortCode = this.#links.newShortCode()
    return {
      encodes: this.#links.shortUrl({ domain: '', short_code: newShortCode }),
      url,
      dynamic,
      newShortCode,
      before,
    }
  }

  /** Makes, moves or removes the link; inside the owner's write. Returns its uuid. */
  async settle(
    userUuid: string,
    owner: LinkOwner,
    { url, dynamic, newShortCode, before }: Tracking,
  ): Promise<string | null> {
    if (newShortCode !== undefined)
      return (await this.#links.createOwned(userUuid, owner, { url, shortCode: newShortCode })).uuid
    const linkUuid = before?.link_uuid ?? null
    if (linkUuid === null) return null
    if (!dynamic) {
      await this.#links.removeOwned(userUuid, linkUuid)
      return null
    }
    if (before?.url !== url) await this.#links.redirectOwned(userUuid, linkUuid, url)
    return linkUuid
  }
}
