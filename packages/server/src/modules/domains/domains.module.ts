import { isAtLeast, operations } from '@waymark/contract'
import type { AccountsModule } from '../../accounts/users/accounts.module.ts'
import type { Caller } from '../../net/caller.ts'
import type { Core, Module } from '../module.ts'
import { createClaimStore } from './claims.store.ts'
import { DomainCheckService } from './domain-check.service.ts'
import { DomainClaimService } from './domain-claims.service.ts'
import { DomainLookups, probeHttps, systemDns } from './domain-lookups.ts'
import { createDomainResponses } from './domain-response.ts'
import { DomainSettingsService } from './domain-settings.service.ts'
import { DomainService } from './domains.service.ts'
import { createDomainStore } from './domains.store.ts'
import { type DomainRegistry, openDomainRegistry } from './registry.ts'
import { created, done, listedWhole, on, type Routes } from '../../api/routes.ts'

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
  const { config, db, blobs, tombstones, changes, closing, limits, mediaUrl, now, newId } = core
  const { baseUrl } = config
  const store = createDomainStore(db)
  const registry = await openDomainRegistry(store, config, (hash) => new URL(mediaUrl(hash)).pathname)
  closing.defer(() => registry.close())
  changes.onDomains(registry.refreshSoon)
  changes.onMissed(registry.refreshSoon)
  const claimStore = createClaimStore(db)
  const own = new URL(baseUrl).hostname
  const responses = createDomainResponses(own, mediaUrl)
  const ownHost = own.replace(/^\[|\]$/g, '')
  const lookups = new DomainLookups({ dns: systemDns(), probeHttps, ownHost })
  const domainsChanged = changes.domains
  const shared = { db, store, blobs, tombstones, registry, responses, domainsChanged, quotas, now, newId }
  const claiming = { claims: claimStore, lookups, own, ownerChanged: changes.owners }
  const claims = new DomainClaimService({ ...shared, ...claiming })
  const service = new DomainService({ ...shared, claims, baseUrl })
  const settings = new DomainSettingsService({ ...shared, owned: service.owned })
  const checks = new DomainCheckService({ store, claims: claimStore, limits, lookups, ownHost, now })
  const requireConfirmed = (userUuid: string) => accounts.requireConfirmed(userUuid)
  return {
    service,
    settings,
    registry,
    routes: domainRoutes(service, claims, settings, checks, requireConfirmed),
    jobs: [{ name: 'domain-claims', cron: '55 * * * *', run: () => claims.sweep() }],
    erase: (workspaceUuid) => service.eraseSome(workspaceUuid),
  }
}

/** A key without a signature is public, whatever its role. */
const mayManage = ({ role, unsigned }: Caller): boolean =>
  unsigned !== true && role !== undefined && isAtLeast(role, operations.editDomain.role)

const domainRoutes = (
  domains: DomainService,
  claims: DomainClaimService,
  settings: DomainSettingsService,
  checks: DomainCheckService,
  requireConfirmed: (userUuid: string) => Promise<void>,
): Routes => [
  on('domains', ({ caller }) =>
    listedWhole('Domains', domains.list(caller.workspaceUuid, !mayManage(caller))),
  ),
  on('addDomain', async ({ caller, body }) => {
    await requireConfirmed(caller.userUuid)
    const added = claims.add(caller.workspaceUuid, body.name, body.ignore_case ?? false)
    return created('Domain added; set its TXT record, then verify it', added)
  }),
  on('verifyDomain', {
    prepare: ({ caller, body }) => claims.prove(caller.workspaceUuid, body.name),
    run: ({ caller, body }, claim) =>
      done('Domain verified', claims.verify(caller.workspaceUuid, body.name, claim)),
    after: () => settings.known(),
  }),
  // Writes nothing, and the name servers may take seconds: no transaction should wait for them.
  on('checkDomain', {
    prepare: ({ caller, body }) => checks.check(caller.workspaceUuid, body.name),
    run: (_context, found) => done('Domain checked', found),
  }),
  on('editDomain', {
    prepare: ({ body }) => settings.stageLogo(body.logo),
    undo: (logo) => settings.discardLogo(logo),
    run: ({ caller, body, request }, logo) =>
      done('Domain changed', settings.edit(caller.workspaceUuid, body, logo, request.knownVersions)),
    after: () => settings.known(),
  }),
  on('removeDomain', ({ caller, body }) =>
    done('Domain removed', domains.remove(caller.workspaceUuid, body.name)),
  ),
]
