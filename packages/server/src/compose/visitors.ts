import type { IncomingMessage } from 'node:http'
import { isRouted, sites } from '@waymark/contract'
import { isPassword } from '../accounts/users/passwords.ts'
import type { AccessLog } from '../api/access-log.ts'
import { bodiesIn } from '../api/body/temp-folder.ts'
import { hasClicksLeft, takeClick } from '../clicks/click-limits.ts'
import { openClicks } from '../clicks/open.ts'
import { createImageSizes } from '../imaging/sizes/image-sizes.ts'
import { createBarcodeStore } from '../modules/barcodes/barcodes.store.ts'
import type { Core } from '../modules/module.ts'
import { createPageStore } from '../modules/pages/pages.store.ts'
import { createQrcodeStore } from '../modules/qrcodes/qrcodes.store.ts'
import { addressBucket, type AddressReader } from '../net/client-address.ts'
import { newRequestId } from '../storage/db/ids.ts'
import { createFront } from '../visitors/front.ts'
import {
  createLinkVisits,
  createReports,
  type LinkVisitDependencies,
  type ReportDependencies,
} from '../visitors/links/link-visits.ts'
import { PlainVisits } from '../visitors/links/plain-visits.ts'
import { createPreviewCards } from '../visitors/links/preview-cards.ts'
import { createRedirector } from '../visitors/links/redirector.ts'
import { TargetFinder } from '../visitors/links/target-finder.ts'
import { visitRoutes } from '../visitors/links/visit.site.ts'
import { mediaRoute } from '../visitors/media/media.site.ts'
import { createHostNotices } from '../visitors/notices/host-notices.ts'
import { DrawnPreviews } from '../visitors/pages/drawn-previews.ts'
import { openPageSites } from '../visitors/pages/page-sites.ts'
import { pictureRoute } from '../visitors/pictures/pictures.site.ts'
import type { Notice } from '../visitors/notices/notices.ts'
import { type Route, Router } from '../visitors/router.ts'
import type { Front, Handle, RejectVisit } from '../visitors/site.ts'
import { askRoute, faviconRoute, robotsRoute, securityRoute } from '../visitors/well-known.site.ts'
import { Background } from '../work/background.ts'
import type { Modules } from './modules.ts'

/** Paths that the API serves. */
const OF_API: readonly string[] = [
  '/',
  '/v1',
  '/v1/*',
  sites.dashboard,
  `${sites.dashboard}/*`,
  sites.docs,
  `${sites.docs}/*`,
  sites.openapi,
  sites.llms,
  `${sites.invoice}/:name`,
  sites.live,
  sites.ready,
  sites.metrics,
]

export type Visitors = ReturnType<typeof openVisitors>

/** Opens everything for anonymous visitors: redirects, pages, pictures, files. */
export function openVisitors(
  all: Core,
  modules: Modules,
  addressOf: AddressReader,
  accessLog: AccessLog | undefined,
) {
  // Visitors do not wait for the reads of accounts.
  const core: Core = { ...all, db: all.db.serving }
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
    store: createPageStore(core.db),
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
  // Not when a key is revoked, because an account could then make all visitors wait for the database.
  changes.onOwners(forgetAll)
  onBlocksChanged(forgetAll)
  changes.onMissed((from) => {
    if (from === 'machine') return forgetAll()
    targets.expireAll()
    pageSites.pages.expireAll()
  })

  const front: Front = (request, response, passOn) =>
    redirector.handle(request, response, passOn) || pageSites.front(request, response)
  const routes: readonly Route[] = [
    ...pageSites.routes,
    cards.route,
    faviconRoute,
    robotsRoute(domainOf),
    securityRoute(config.securityContact, config.baseUrl, now),
    askRoute({ isVerified, addressOf, token: config.askToken }),
    mediaRoute(
      blobs,
      createImageSizes((hash) => blobs.get(hash), reportError),
      tombstones,
    ),
    pictureRoute({
      qrcodes: createQrcodeStore(core.db),
      barcodes: createBarcodeStore(core.db),
      pictures: core.codeImages,
      blobs,
      tombstones,
    }),
    ...visitRoutes(visitLink, isRouted, addressOf, bodiesIn(config.dataDir)),
  ]
  /** The response if no route matches: the root of a host, or not found. */
  const nothingAt = ({ url = '', headers }: IncomingMessage): Notice => {
    const domain = domainOf(headers.host)
    if (domain !== '' && /^\/(?:\?|$)/.test(url)) return notices.root(domain, headers)
    return notices.notice(domain, 'notFound', headers)
  }
  const openRouter = (reject: RejectVisit): Handle =>
    new Router({
      elsewhere: OF_API,
      routes,
      nothingAt,
      reject,
      isOwnHost: (host) => domainOf(host) === '',
      isSecure: config.baseUrl.startsWith('https:'),
      addressOf,
      newId: newRequestId,
      name: accessLog?.name,
      report: reportError,
    }).handle
  return { clicks, targets, visits, nothingAt, front, takeConnections, openRouter }
}

/** Password attempts per minute, address and link. */
const LINK_PASSWORD_TRIES = 10

/** How long a stop waits for reports that are being mailed. */
const MAIL_CLOSE_MS = 2_000

interface LinkVisitParts
  extends
    Pick<ReportDependencies, 'shortUrl'>,
    Omit<
      LinkVisitDependencies,
      'takeClick' | 'hasClicksLeft' | 'verifyPassword' | 'report' | 'secondsToWait'
    > {}

/** Opens the handler of visits that need more than a redirect: passwords, click limits, previews and reports. */
function openLinkVisits(core: Core, parts: LinkVisitParts) {
  const { config, db, limits, mailer, closing, reportError } = core
  const mails = new Background(reportError)
  closing.defer(() => mails.close(MAIL_CLOSE_MS))
  return createLinkVisits({
    ...parts,
    takeClick: (linkId, maxClicks) => takeClick(db, linkId, maxClicks),
    hasClicksLeft: (linkId, maxClicks) => hasClicksLeft(db, linkId, maxClicks),
    verifyPassword: (hash, password) => isPassword(password, hash),
    report: createReports({ mailer, contact: config.abuseContact, limits, shortUrl: parts.shortUrl, mails }),
    secondsToWait: async (address, linkId) => {
      const tries = `link-password:${linkId}:${addressBucket(address)}`
      const { allowed, resetMs } = await limits.take(tries, LINK_PASSWORD_TRIES)
      return allowed ? 0 : Math.max(1, Math.ceil(resetMs / 1000))
    },
  })
}
