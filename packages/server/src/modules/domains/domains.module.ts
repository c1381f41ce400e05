import { resolveTxt } from 'node:dns/promises'
import type { Quotas } from '../accounts/quotas.ts'
import type { Core, Module } from '../module.ts'
import { domainRoutes } from './domains.routes.ts'
import { DomainService } from './domains.service.ts'
import { createDomainStore } from './domains.store.ts'
import { type DomainRegistry, openDomainRegistry } from './registry.ts'

export interface DomainsModule extends Module {
  readonly service: DomainService
  readonly registry: DomainRegistry
}

/** No record and no answer are the same: the proof is not there. */
const txtRecords = (name: string): Promise<string[]> =>
  resolveTxt(name).then(
    (records) => records.map((parts) => parts.join('')),
    () => [],
  )

/** Custom domains. */
export async function domainsModule(core: Core, quotas: Quotas): Promise<DomainsModule> {
  const { config, db, closing, now } = core
  const { baseUrl } = config
  const store = createDomainStore(db)
  const registry = await openDomainRegistry(store, baseUrl)
  closing.defer(() => registry.close())
  const resolver = { resolveTxt: txtRecords }
  const service = new DomainService({ db, store, registry, quotas, baseUrl, ...resolver, now })
  return {
    service,
    registry,
    routes: domainRoutes(service),
    erase: (userUuid) => store.removeOfUser(userUuid).then(() => false),
  }
}
