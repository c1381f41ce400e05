import type { DomainService } from '../domains/domains.service.ts'
import type { Shared } from '../links/links.module.ts'
import type { LinkService } from '../links/links.service.ts'
import type { Core, Module } from '../module.ts'
import type { QrcodeService } from '../qrcodes/qrcodes.service.ts'
import { pageRoutes } from './pages.routes.ts'
import { PageService } from './pages.service.ts'
import { createPageStore, type PageStore } from './pages.store.ts'

interface PageParts extends Shared {
  readonly links: LinkService
  readonly qrcodes: QrcodeService
  readonly domains: DomainService
}

/** Custom pages, each with its short link and QR code. */
export function pagesModule(
  core: Core,
  parts: PageParts,
): Module & { readonly service: PageService; readonly store: PageStore } {
  const { db, blobs, tombstones, mediaUrl, changes, now, newId } = core
  const store = createPageStore(db)
  const service = new PageService({
    ...parts,
    db,
    store,
    blobs,
    tombstones,
    mediaUrl,
    pageChanged: ({ domain, slug }) => changes.page(domain, slug),
    now,
    newId,
  })
  return {
    service,
    store,
    routes: pageRoutes(service, parts.domains),
    erase: (workspaceUuid) => service.owned.eraseSome(workspaceUuid),
  }
}
