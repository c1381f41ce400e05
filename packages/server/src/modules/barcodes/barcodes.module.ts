import { createImageUrls } from '../codes/image-urls.ts'
import type { Shared } from '../links/links.module.ts'
import type { LinkService } from '../links/links.service.ts'
import { TrackedLinks } from '../links/tracked-links.ts'
import type { Core, Module } from '../module.ts'
import { barcodeRoutes } from './barcodes.routes.ts'
import { BarcodeService } from './barcodes.service.ts'
import { createBarcodeStore, type BarcodeStore } from './barcodes.store.ts'

/** Barcodes. */
export function barcodesModule(
  core: Core,
  { events, quotas, trash, links }: Shared & { readonly links: LinkService },
): Module & { readonly service: BarcodeService; readonly store: BarcodeStore } {
  const { config, db, tombstones, codeImages, now, newId } = core
  const store = createBarcodeStore(db)
  const service = new BarcodeService({
    db,
    events,
    store,
    quotas,
    trash,
    links,
    tracked: new TrackedLinks(links),
    pictures: codeImages,
    tombstones,
    addresses: createImageUrls(config.baseUrl),
    now,
    newId,
  })
  return {
    service,
    store,
    routes: barcodeRoutes(service),
    erase: (workspaceUuid) => service.owned.eraseSome(workspaceUuid),
  }
}
