import { isRouted } from '@waymark/contract'
import type { AccessLog } from '../api/access-log.ts'
import { openClicks } from '../clicks/open.ts'
import { createImageSizes } from '../imaging/sizes/image-sizes.ts'
import type { Core } from '../modules/module.ts'
import type { AddressReader } from '../net/client-address.ts'
import { faviconSite } from '../visitors/favicon.site.ts'
import { createFront } from '../visitors/front.ts'
import { createPreviewCards } from '../visitors/links/preview-cards.ts'
import { PlainVisits } from '../visitors/links/plain-visits.ts'
import { createRedirector } from '../visitors/links/redirector.ts'
import { TargetFinder } from '../visitors/links/target-finder.ts'
import { visitSite } from '../visitors/links/visit.site.ts'
import { mediaSite } from '../visitors/media/media.site.ts'
import { DrawnPreviews } from '../visitors/pages/drawn-previews.ts'
import { openPageSites } from '../visitors/pages/page-sites.ts'
import { createHostNotices } from '../visitors/notices/host-notices.ts'
import { pictureSite } from '../visitors/pictures/pictures.site.ts'
import type { Front, Site } from '../visitors/site.ts'
import { askSite } from '../visitors/well-known/ask.site.ts'
import { robotsSite } from '../visitors/well-known/robots.site.ts'
import { securitySite } from '../visitors/well-known/security.site.ts'
import { openLinkVisits } from './link-visits.ts'
import type { Modules } from './modules.ts'
import { bodiesIn } from '../api/body/temp-folder.ts'

export type Visitors = ReturnType<typeof openVisitors>

/** Opens everything that anonymous visitors meet: redirects, pages, pictures, files. */
export function openVisitors(
  core: Core,
  modules: Modules,
  addressOf: AddressReader,
  accessLog: AccessLog | undefined,
) {
  const { config, blobs, tombstones, changes, closing, reportError, now } = core
  const { domainOf, settingsOf, ignoresCase, isVerified } = modules.domains.registry
  const { isSuspended, onChange: onBlocksChanged } = modules.abuse.registry
  const notices = createHostNotices(settingsOf, config.abuseContact)
  const clicks = openClicks(config, core.log, modules.analytics.live)
  closing.defer(() => clicks.close())
  const targets = new TargetFinder(modules.lookup, { ignoresCase })
  const visits = new PlainVisits({ clicks: clicks.spool, notices, now })
  const shared = { targets, visits, clicks: clicks.spool, isRouted, domainOf, notices, addressOf, now }
  const redirector = createRedirector(shared)
  const takeConnections = createFront({ ...shared, noted: accessLog?.note })
  const shortUrl: Modules['links']['service']['shortUrl'] = (name) => modules.links.service.shortUrl(name)
  const drawn = new DrawnPreviews()
  const cards = createPreviewCards({ ...shared, drawn, shortUrl, sharedMediaUrl: core.sharedMediaUrl })
  const visitLink = openLinkVisits(core, { ...shared, cardOf: cards.cardOf, shortUrl })
  const pageSites = openPageSites({
    store: modules.pages.store,
    blobs,
    tombstones,
    drawn,
    urlOf: (name) => modules.pages.service.urlOf(name),
    isSuspended,
    clicks: clicks.spool,
    domainOf,
    notices,
    addressOf,
    report: reportError,
    now,
  })
  const forgetAll = (): void => {
    targets.forgetAll()
    pageSites.pages.forgetAll()
  }
  changes.onTarget((domain, shortCode) => targets.forget(domain, shortCode))
  changes.onPage((domain, slug) => pageSites.pages.forget(domain, slug))
  // Not when a key is revoked: an account could then have every visitor wait for the database all the time.
  changes.onOwners(forgetAll)
  onBlocksChanged(forgetAll)
  changes.onMissed((from) => {
    if (from === 'machine') return forgetAll()
    targets.expireAll()
    pageSites.pages.expireAll()
  })

  const front: Front = (request, response, passOn) =>
    redirector.handle(request, response, passOn) || pageSites.front(request, response)
  const sites: readonly Site[] = [
    mediaSite(
      blobs,
      createImageSizes((hash) => blobs.get(hash), reportError),
      tombstones,
    ),
    pageSites.site,
    cards.site,
    faviconSite,
    robotsSite(domainOf),
    securitySite(config.securityContact, config.baseUrl, now),
    askSite({ isVerified, addressOf, token: config.askToken }),
    pictureSite({
      qrcodes: modules.qrcodes.store,
      barcodes: modules.barcodes.store,
      pictures: core.codeImages,
      blobs,
      tombstones,
    }),
    visitSite(visitLink, isRouted, addressOf, bodiesIn(config.dataDir)),
  ]
  return { clicks, targets, visits, notices, front, takeConnections, sites }
}
