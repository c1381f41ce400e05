import type { AccountsModule } from '../../accounts/users/accounts.module.ts'
import type { Core, Module } from '../module.ts'
import { createClaimStore } from './claims.store.ts'
import { systemDns } from './dns-records.ts'
import { DomainCheckService } from './domain-check.service.ts'
import { DomainLookups } from './domain-lookups.ts'
import { createDomainResponses } from './domain-response.ts'
import { DomainSettingsService } from './domain-settings.service.ts'
import { domainRoutes } from './domains.routes.ts'
import { DomainService } from './domains.service.ts'
import { createDomainStore } from './domains.store.ts'
import { probeHttps } from './https-probe.ts'
import { type DomainRegistry, openDomainRegistry } from './registry.ts'

export interface DomainsModule extends Module {
  readonly service: DomainService
  readonly settings: DomainSettingsService
  readonly registry: DomainRegistry
}

/** Custom domains. */
export async function domainsModule(
  core: Core,
  { quotas, service: accounts }: AccountsModule,
): Promise<DomainsModule> {
  const { config, db, blobs, changes, closing, limits, mediaUrl, now } = core
  const { baseUrl } = config
  const store = createDomainStore(db)
  const registry = await openDomainRegistry(store, config, (hash) => new URL(mediaUrl(hash)).pathname)
  closing.defer(() => registry.close())
  changes.onDomains(registry.refreshSoon)
  changes.onMissed(registry.refreshSoon)
  const claims = createClaimStore(db)
  const responses = createDomainResponses(new URL(baseUrl).hostname, mediaUrl)
  const shared = { db, store, blobs, registry, responses, domainsChanged: changes.domains, now }
  const settings = new DomainSettingsService(shared)
  const parts = { ...shared, claims, quotas, baseUrl, ownerChanged: changes.owners }
  const ownHost = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  const lookups = new DomainLookups({ dns: systemDns(), probeHttps, ownHost })
  const service = new DomainService({ ...parts, lookups })
  const checks = new DomainCheckService({ store, claims, limits, lookups, ownHost, now })
  return {
    service,
    settings,
    registry,
    routes: domainRoutes(service, settings, checks, (userUuid) => accounts.requireConfirmed(userUuid)),
    jobs: [{ name: 'domain-claims', cron: '55 * * * *', run: () => service.sweep() }],
    erase: async (userUuid) => {
      await claims.removeOfUser(userUuid)
      await store.removeOfUser(userUuid)
      return false
    },
  }
}
