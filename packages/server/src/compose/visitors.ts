import type { IncomingMessage } from 'node:http'
import { isRouted, sites } from '@waymark/contract'
import type { Logger } from 'pino'
import { openCountries } from '../clicks/attributes/countries.ts'
import { remembered } from '../clicks/attributes/headers.ts'
import type { Spool } from '../clicks/spool/spool.ts'
import type { Config } from '../config.ts'
import type { AccessLog } from '../net/access-log.ts'
import type { Changes } from '../net/bus/changes.ts'
import type { AddressReader } from '../net/client-address.ts'
import type { StoredFiles } from '../storage/blobs/stored-files.ts'
import type { Reads } from '../storage/db/database.ts'
import { newRequestId } from '../storage/db/ids.ts'
import type { KeptPictures } from '../storage/kept-pictures.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { ErasedNames } from '../storage/tombstones.ts'
import { openBlockRegistry, storedBlocks } from '../visitors/blocks.ts'
import {
  type DomainRegistry,
  longerCodesAmong,
  openDomainRegistry,
  originOf,
  storedDomains,
} from '../visitors/domains.ts'
import { createFront } from '../visitors/front.ts'
import { createLinkVisits } from '../visitors/links/link-visits.ts'
import { openLookup } from '../visitors/links/open-lookup.ts'
import { PlainVisits } from '../visitors/links/plain-visits.ts'
import { createPreviewCards } from '../visitors/links/preview-cards.ts'
import { createRedirector } from '../visitors/links/redirector.ts'
import { TargetFinder } from '../visitors/links/target-finder.ts'
import { visitRoutes } from '../visitors/links/visit.site.ts'
import { mediaPath, sharedMediaPath } from '../visitors/media/media-path.ts'
import { mediaRoute } from '../visitors/media/media.site.ts'
import { createHostNotices } from '../visitors/notices/host-notices.ts'
import { nothingAt } from '../visitors/notices/nothing-at.ts'
import { openPageSites } from '../visitors/pages/page-sites.ts'
import { createPublicPages } from '../visitors/pages/public-pages.ts'
import { pictureRoute } from '../visitors/pictures/pictures.site.ts'
import { createRejection } from '../visitors/rejection.ts'
import { type Route, Router } from '../visitors/router.ts'
import type { Front } from '../visitors/site.ts'
import { askRoute, faviconRoute, robotsRoute, securityRoute } from '../visitors/well-known.site.ts'

/** Paths that the API half serves. */
export const OF_API: readonly string[] = [
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
  sites.metrics,
]

/** What the visitors' half needs: it reads, and writes only to its spool. */
export interface VisitorCore {
  readonly config: Config
  readonly log: Logger
  readonly db: Reads
  readonly blobs: Pick<StoredFiles, 'get' | 'has' | 'isHidden' | 'missing'>
  readonly tombstones: ErasedNames
  readonly secrets: Secrets
  readonly changes: Changes
  readonly kept: KeptPictures
  readonly reportError: (error: unknown) => void
  readonly now: () => number
  /** Opened parts register their close here; everything closes in reverse order. */
  readonly closing: AsyncDisposableStack
}

interface VisitorParts {
  readonly spool: Spool
  readonly addressOf: AddressReader
  readonly accessLog: AccessLog | undefined
  /** Routes of the process itself, such as its health checks. */
  readonly own: (domains: DomainRegistry) => readonly Route[]
}

/** Number of addresses whose country is cached: a look-up takes a few microseconds. */
const REMEMBERED_ADDRESSES = 5_000

export type Visitors = Awaited<ReturnType<typeof openVisitors>>

/** Opens everything that anonymous visitors need: redirects, pages, pictures, files. The API half does the rest. */
export async function openVisitors(core: VisitorCore, { spool, addressOf, accessLog, own }: VisitorParts) {
  const { config, db, blobs, tombstones, secrets, changes, kept, closing, reportError, now } = core
  const domains = await openDomainRegistry(
    storedDomains(db),
    longerCodesAmong(tombstones),
    config,
    mediaPath,
    changes.domains,
  )
  closing.defer(() => domains.close())
  const blocks = await openBlockRegistry(storedBlocks(db), changes.blocks)
  closing.defer(() => blocks.close())
  const { domainOf, settingsOf, ignoresCase, hasLongerCodes, isVerified } = domains
  const { isSuspended } = blocks
  const notices = createHostNotices(settingsOf, config)
  const lookup = openLookup(db, (domain, shortCode) => tombstones.hash(['code', domain, shortCode]), {
    countryOf: remembered(REMEMBERED_ADDRESSES, openCountries()),
    visitorHash: (text) => secrets.number('variant', text),
    isBlocked: (link) => blocks.blockOf(link) !== undefined,
  })
  const targets = new TargetFinder(lookup, { ignoresCase, hasLongerCodes })
  const visits = new PlainVisits({ clicks: spool, notices, now })
  const shared = { targets, visits, clicks: spool, isRouted, domainOf, notices, addressOf, now }
  const redirector = createRedirector(shared)
  const takeConnections = createFront({ ...shared, noted: accessLog?.note })
  const cards = createPreviewCards({
    ...shared,
    shortUrl: ({ domain, short_code }) => `${originOf(config.baseUrl, domain)}/${short_code}`,
    sharedMediaUrl: (hash) => config.baseUrl + sharedMediaPath(hash),
  })
  const takesReports = config.abuseContact !== undefined && config.smtpUrl !== undefined
  const publicPages = createPublicPages(db)
  const pageSites = openPageSites({
    publicPages,
    tombstones,
    urlOf: ({ domain, slug }) => `${originOf(config.baseUrl, domain)}${sites.page}/${slug}`,
    isSuspended,
    clicks: spool,
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
  changes.onDomains(domains.refresh)
  changes.onBlocks(blocks.refresh)
  changes.onTarget((domain, shortCode) => targets.forget(domain, shortCode))
  changes.onPage((domain, slug) => pageSites.pages.forget(domain, slug))
  // Not when a key is revoked, because an account could then make all visitors wait for the database.
  changes.onOwners(forgetAll)
  blocks.onChange(forgetAll)
  changes.onMissed((from) => {
    domains.refreshSoon()
    blocks.refreshSoon()
    if (from === 'machine') return forgetAll()
    targets.expireAll()
    pageSites.pages.expireAll()
  })

  const front: Front = (request, response, passOn) =>
    redirector.handle(request, response, passOn) || pageSites.front(request, response)
  const routes: readonly Route[] = [
    ...own(domains),
    ...pageSites.routes,
    cards.route,
    faviconRoute,
    robotsRoute(domainOf),
    securityRoute(config.securityContact, config.baseUrl, now),
    askRoute({ isVerified, addressOf, token: config.askToken }),
    mediaRoute({ blobs, tombstones, kept }),
    pictureRoute({ db, tombstones, kept }),
    ...visitRoutes({
      answerVisit: createLinkVisits({ ...shared, cardOf: cards.cardOf, takesReports }),
      isRouted,
      addressOf,
    }),
  ]
  const router = new Router({
    elsewhere: OF_API,
    routes,
    nothingAt: (request: IncomingMessage) => nothingAt(request, domainOf, notices),
    reject: createRejection(core.log),
    isOwnHost: (host) => domainOf(host) === '',
    isSecure: config.baseUrl.startsWith('https:'),
    addressOf,
    idOf: newRequestId,
    name: accessLog?.name,
    report: reportError,
  })
  return {
    targets,
    visits,
    front,
    takeConnections: config.logRequests === 'all' ? () => {} : takeConnections,
    handle: router.handle,
    forgetAll,
  }
}
