import type { FieldErrors } from '@waymark/contract/schemas'
import type { AbuseModule } from '../abuse/abuse.module.ts'
import type { Events } from '../owned/events.ts'
import type { Quotas } from '../../accounts/users/quotas.ts'
import type { DomainsModule } from '../domains/domains.module.ts'
import type { Core, Module } from '../module.ts'
import type { TrashStore } from '../owned/trash.store.ts'
import { createHistoryStore, LinkHistory, LinkReverts, type Cause } from './link-history.ts'
import { LinkExport } from './link-export.service.ts'
import { LinkPreparation } from './link-inserts.ts'
import { LinkService } from './links.service.ts'
import { createLinkStore, type LinkStore } from './links.store.ts'
import { randomShortCode, ShortCodeAvailability } from './short-codes.ts'
import { LinkSimulation, type SimulatedOutcome, type SimulatedVisit } from './simulation.service.ts'
import {
  created,
  done,
  listed,
  listedWhole,
  on,
  removed,
  type Routes,
  type PartialContext,
} from '../../api/routes.ts'
import type { Caller } from '../../net/caller.ts'
import { rejectInvalid, invalidFields } from '../../net/errors.ts'
import type { DomainService } from '../domains/domains.service.ts'

/** What modules of owned resources need from other modules. */
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

const csvHeaders = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="waymark-links.csv"',
}

const causeOf = ({ kind, uuid }: Caller): Cause =>
  kind === 'key' ? { type: 'key', keyUuid: uuid } : { type: 'dashboard' }

const linkRoutes = (
  links: LinkService,
  preparation: LinkPreparation,
  exporter: LinkExport,
  simulation: LinkSimulation,
  reverts: LinkReverts,
  availability: ShortCodeAvailability,
  alsoInvalid: ReturnType<typeof linkFaults>,
): Routes => [
  on('generateLink', {
    alsoInvalid,
    prepare: async (context) => {
      const { domain, password, preview } = context.body
      // Creating a plain link has no slow part, and checks its destination.
      if (!domain && !password && !preview) return {}
      rejectInvalid(await alsoInvalid(context))
      return preparation.one(context.body)
    },
    undo: (prepared) => preparation.discard([prepared]),
    run: async ({ caller, body }, prepared) => {
      if (body.reuse !== true)
        return created('Short link created', links.create(caller.workspaceUuid, body, prepared))
      const { link, isNew } = await links.reuse(caller.workspaceUuid, body)
      return isNew ? created('Short link created', link) : done('Short link reused', link)
    },
  }),
  on('links', ({ caller, query }) => listed('Short links', links.list(caller.workspaceUuid, query))),
  on('editLinks', {
    alsoInvalid,
    prepare: ({ body }) => preparation.one(body),
    undo: (prepared) => preparation.discard([prepared]),
    run: ({ caller, body, request }, prepared) =>
      done(
        'Short link updated',
        links.edit(caller.workspaceUuid, body, prepared, request.knownVersions, causeOf(caller)),
      ),
  }),
  on('removeLinks', ({ caller, body }) =>
    removed('Short link', links.owned.remove(caller.workspaceUuid, body)),
  ),
  on('shortCode', ({ caller, query }) => done('Short code', availability.find(caller.workspaceUuid, query))),
  on('simulateLink', ({ caller, body }) =>
    done('Simulated visit', simulation.simulate(caller.workspaceUuid, body)),
  ),
  on('linkHistory', ({ caller, query }) => listed('History', reverts.list(caller.workspaceUuid, query.uuid))),
  on('revertLink', ({ caller, body, request }) =>
    done(
      'Short link reverted',
      reverts.revert(caller.workspaceUuid, body.uuid, body.version, request.knownVersions),
    ),
  ),
  on('tags', ({ caller }) => listedWhole('Tags', links.tags(caller.workspaceUuid))),
  on('generateLinks', {
    lane: 'bulkCreates',
    prepare: ({ caller, body }) => preparation.many(caller.workspaceUuid, body.links),
    undo: (prepared) => preparation.discard(prepared),
    run: ({ caller, body }, prepared) =>
      created('Short links created', links.createMany(caller.workspaceUuid, body.links, prepared)),
  }),
  on('exportLinks', async ({ caller, query }) => ({
    status: 200 as const,
    payload: await exporter.export(caller.workspaceUuid, query),
    headers: csvHeaders,
  })),
]

/** Errors of a link that its schema cannot detect: rejected destinations, an unknown domain. */
const linkFaults =
  (links: LinkService, domains: DomainService) =>
  async ({ caller, body }: PartialContext<'generateLink' | 'editLinks'>): Promise<FieldErrors> => ({
    ...Object.fromEntries(links.faultsOf(body).map(({ field, fault }) => [field, [fault]])),
    ...(await invalidFields(() => domains.choose(caller.workspaceUuid, body.domain))),
  })
