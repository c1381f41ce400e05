import { createImageUrls } from '../codes/image-urls.ts'
import type { Shared } from '../links/links.module.ts'
import type { LinkService } from '../links/links.service.ts'
import { TrackedLinks } from '../links/tracked-links.ts'
import type { Core, Module } from '../module.ts'
import { qrcodeRoutes } from './qrcodes.routes.ts'
import { QrcodeService } from './qrcodes.service.ts'
import { createQrcodeStore, type QrcodeStore } from './qrcodes.store.ts'

/** QR codes. */
export function qrcodesModule(
  core: Core,
  { events, quotas, trash, links }: Shared & { readonly links: LinkService },
): Module & { readonly service: QrcodeService; readonly store: QrcodeStore } {
  const { config, db, blobs, tombstones, mediaUrl, codeImages, now, newId } = core
  const store = createQrcodeStore(db)
  const service = new QrcodeService({
    db,
    events,
    store,
    quotas,
    trash,
    links,
    tracked: new TrackedLinks(links),
    pictures: codeImages,
    blobs,
    tombstones,
    addresses: createImageUrls(config.baseUrl),
    mediaUrl,
    now,
    newId,
  })
  return {
    service,
    store,
    routes: qrcodeRoutes(service),
    erase: (workspaceUuid) => service.owned.eraseSome(workspaceUuid),
  }
}
