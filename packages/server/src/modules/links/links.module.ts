import type { AbuseModule } from '../abuse/abuse.module.ts'
import type { Events } from '../owned/events.ts'
import type { Quotas } from '../../accounts/users/quotas.ts'
import type { DomainsModule } from '../domains/domains.module.ts'
import type { Core, Module } from '../module.ts'
import type { TrashStore } from '../owned/trash.store.ts'
import { createHistoryStore, LinkHistory, LinkReverts } from './link-history.ts'
import { LinkExport } from './link-export.service.ts'
import { linkFaults, linkRoutes } from './links.routes.ts'
import { LinkPreparation } from './link-inserts.ts'
import { LinkService } from './links.service.ts'
import { createLinkStore, type LinkStore } from './links.store.ts'
import { randomShortCode, ShortCodeAvailability } from './short-codes.ts'
import { LinkSimulation, type SimulatedOutcome, type SimulatedVisit } from './simulation.service.ts'

/** What the modules of owned resources take from other modules. */
export interface Shared {
  readonly events: Events
  readonly quotas: Quotas
  readonly trash: TrashStore
}

interface LinkNeeds {
  readonly abuse: AbuseModule
  readonly domains: DomainsModule
  readonly simulate: (visit: SimulatedVisit) => Promise<SimulatedOutcome>
}

export interface LinksModule extends Module {
  readonly service: LinkService
  readonly store: LinkStore
  readonly history: LinkHistory
}

/** Short links. */
export function linksModule(
  core: Core,
  { events, quotas, trash, domains, abuse, simulate }: Shared & LinkNeeds,
): LinksModule {
  const { db, blobs, changes, tombstones, sharedMediaUrl, now, newId } = core
  const store = createLinkStore(db)
  const history = new LinkHistory({ db, store: createHistoryStore(db), now, newId })
  const service = new LinkService({
    db,
    events,
    store,
    history,
    domains: domains.service,
    quotas,
    trash,
    tombstones,
    blobs,
    sharedMediaUrl,
    isServed: domains.registry.isServed,
    isRejected: abuse.isRejected,
    blockOf: abuse.registry.blockOf,
    targetChanged: ({ domain, short_code }) => changes.target(domain, short_code),
    now,
    newId,
    newShortCode: randomShortCode,
  })
  const exporter = new LinkExport({ db, store, links: service })
  const simulation = new LinkSimulation({ links: service, simulate, now })
  const preparation = new LinkPreparation({ quotas, blobs, links: service })
  const reverts = new LinkReverts({ links: service, history, now })
  return {
    service,
    store,
    history,
    routes: linkRoutes(
      service,
      preparation,
      exporter,
      simulation,
      reverts,
      new ShortCodeAvailability({ store, tombstones, domains: domains.service }),
      linkFaults(service, domains.service),
    ),
    jobs: [{ name: 'link-history', cron: '25 3 * * *', run: (signal) => history.sweep(signal) }],
    erase: (workspaceUuid) => service.owned.eraseSome(workspaceUuid),
  }
}
