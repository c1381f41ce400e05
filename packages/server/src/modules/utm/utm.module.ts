import { created, done, listed, on, removed, type Routes } from '../../api/routes.ts'
import type { Shared } from '../links/links.module.ts'
import type { LinkService } from '../links/links.service.ts'
import { TrackedLinks } from '../links/tracked-links.ts'
import type { Core, Module } from '../module.ts'
import { UtmService } from './utm.service.ts'
import { createUtmStore } from './utm.store.ts'

/** UTM links. */
export function utmModule(
  { db, now, newId }: Core,
  { events, quotas, trash, links }: Shared & { readonly links: LinkService },
): Module & { readonly service: UtmService } {
  const tracked = new TrackedLinks(links)
  const service = new UtmService({
    db,
    events,
    links,
    tracked,
    quotas,
    trash,
    now,
    newId,
    store: createUtmStore(db),
  })
  return {
    service,
    routes: utmRoutes(service),
    erase: (workspaceUuid) => service.owned.eraseSome(workspaceUuid),
  }
}

const utmRoutes = (utm: UtmService): Routes => [
  on('utmLinks', ({ caller, query }) => listed('UTM links', utm.owned.list(caller.workspaceUuid, query))),
  on('generateUtm', {
    prepare: ({ caller, body }) => utm.tag(caller.workspaceUuid, body),
    run: ({ caller }, tagged) => created('UTM link created', utm.create(caller.workspaceUuid, tagged)),
  }),
  on('editUtm', {
    prepare: ({ caller, body, request }) => utm.retag(caller.workspaceUuid, body, request.knownVersions),
    run: ({ caller }, tagged) => done('UTM link updated', utm.edit(caller.workspaceUuid, tagged)),
  }),
  on('removeUtm', ({ caller, body }) => removed('UTM link', utm.owned.remove(caller.workspaceUuid, body))),
]
