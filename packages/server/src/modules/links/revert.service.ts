import type { Data } from '@waymark/contract/schemas'
import { AppError, fieldError } from '../../runtime/errors.ts'
import type { Listed } from '../../runtime/listed.ts'
import type { KnownVersions } from '../owned/versions.ts'
import { type LinkHistory, listsOf } from './history.service.ts'
import type { Link, LinkService } from './links.service.ts'

interface RevertDependencies {
  readonly links: LinkService
  readonly history: LinkHistory
  readonly now: () => number
}

/** Shows the history of links, and goes back in it. */
export class LinkReverts {
  readonly #deps: RevertDependencies

  constructor(deps: RevertDependencies) {
    this.#deps = deps
  }

  async list(userUuid: string, uuid: string): Promise<Listed<Data<'linkHistory'>[number]>> {
    const { links, history } = this.#deps
    return history.list(await links.owned.find(userUuid, uuid), links.context.domainName)
  }

  /**
   * An edit like any other: a domain that is gone, or a destination that has become a loop, is rejected as such. An
   * expiry that has passed is left out, because the link would end with it.
   */
  async revert(userUuid: string, uuid: string, version: string, versions?: KnownVersions): Promise<Link> {
    const { links, history, now } = this.#deps
    const link = await links.owned.find(userUuid, uuid)
    const kept = await history.find(link, version)
    if (kept === undefined) throw fieldError('version', 'The link has no such version')
    if (link.owner_type !== null && kept.url !== link.url) throw new AppError('link_owned')
    const { url, ios_url, android_url, domain, expires_at: expire } = kept
    const input = {
      uuid,
      link: url,
      ios_url,
      android_url,
      ...listsOf(kept),
      ...((expire === null || expire > now()) && { expire }),
      ...(domain !== link.domain && { domain: links.context.domainName(domain) }),
    }
    return links.edit(userUuid, input, undefined, versions, { type: 'revert' })
  }
}
