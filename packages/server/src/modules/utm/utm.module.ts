import type { Shared } from '../links/links.module.ts'
import type { LinkService } from '../links/links.service.ts'
import { TrackedLinks } from '../links/tracked-links.ts'
import type { Core, Module } from '../module.ts'
import { utmRoutes } from './utm.routes.ts'
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
