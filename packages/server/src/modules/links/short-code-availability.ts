import { isReserved } from '@waymark/contract'
import type { Data, Query } from '@waymark/contract/schemas'
import type { Tombstones } from '../../storage/tombstones.ts'
import type { DomainService } from '../domains/domains.service.ts'
import type { LinkStore } from './links.store.ts'

interface AvailabilityDependencies {
  readonly store: LinkStore
  readonly tombstones: Tombstones
  readonly domains: DomainService
}

/** Says whether a short code can be used, before anyone tries to. */
export class ShortCodeAvailability {
  readonly #deps: AvailabilityDependencies

  constructor(deps: AvailabilityDependencies) {
    this.#deps = deps
  }

  async find(userUuid: string, query: Query<'shortCode'>): Promise<Data<'shortCode'>> {
    const { store, tombstones, domains } = this.#deps
    const { code } = query
    const domain = await domains.choose(userUuid, query.domain)
    const found = { code, domain: domains.nameOf(domain) }
    const linkUuid = await store.findShortCode({ domain, short_code: code })
    if (linkUuid !== undefined) {
      const own = await store.find(userUuid, linkUuid)
      return { ...found, state: 'taken', uuid: own?.uuid ?? null }
    }
    if (isReserved(code)) return { ...found, state: 'reserved', uuid: null }
    const isBuried = await tombstones.isBuried(['code', domain, code])
    return { ...found, state: isBuried ? 'taken' : 'available', uuid: null }
  }
}
