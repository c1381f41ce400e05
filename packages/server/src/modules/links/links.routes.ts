import type { FieldErrors } from '@waymark/contract/schemas'
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
import type { LinkExport } from './link-export.service.ts'
import type { Cause, LinkReverts } from './link-history.ts'
import type { LinkPreparation } from './link-inserts.ts'
import type { LinkService } from './links.service.ts'
import type { ShortCodeAvailability } from './short-codes.ts'
import type { LinkSimulation } from './simulation.service.ts'

const csvHeaders = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="waymark-links.csv"',
}

const causeOf = ({ kind, uuid }: Caller): Cause =>
  kind === 'key' ? { type: 'key', keyUuid: uuid } : { type: 'dashboard' }

export const linkRoutes = (
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
      // Nothing of a plain link is slow, and creating it checks its destination.
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

/** What is wrong with a link that its schema cannot see: destinations that are not allowed, an unknown domain. */
export const linkFaults =
  (links: LinkService, domains: DomainService) =>
  async ({ caller, body }: PartialContext<'generateLink' | 'editLinks'>): Promise<FieldErrors> => ({
    ...Object.fromEntries(links.faultsOf(body).map(({ field, fault }) => [field, [fault]])),
    ...(await invalidFields(() => domains.choose(caller.workspaceUuid, body.domain))),
  })
