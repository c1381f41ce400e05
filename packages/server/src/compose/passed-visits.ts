import type { IncomingMessage } from 'node:http'
import { isRouted, sites } from '@waymark/contract'
import { isPassword } from '../accounts/users/passwords.ts'
import { readVisitForm } from '../api/body/visit-form.ts'
import { bodiesIn } from '../api/body/temp-folder.ts'
import { hasClicksLeft, takeClick } from '../clicks/click-limits.ts'
import type { Spool } from '../clicks/spool/spool.ts'
import { DrawnPreviews } from '../imaging/previews/drawn-previews.ts'
import type { Preview } from '../imaging/previews/preview-picture.ts'
import { createReports } from '../modules/abuse/reports.ts'
import { DrawnCodes } from '../modules/code-files/drawn-codes.ts'
import type { Core } from '../modules/module.ts'
import type { AccessLog } from '../net/access-log.ts'
import { addressBucket, type AddressReader } from '../net/client-address.ts'
import { clientOf } from '../net/client.ts'
import { configOf } from '../storage/db/rows/pages.ts'
import { createLinkVisits } from '../visitors/links/link-visits.ts'
import { createPreviewCards } from '../visitors/links/preview-cards.ts'
import { TargetFinder } from '../visitors/links/target-finder.ts'
import { visitRoutes } from '../visitors/links/visit.site.ts'
import { mediaRoute } from '../visitors/media/media.site.ts'
import { createHostNotices } from '../visitors/notices/host-notices.ts'
import { nothingAt } from '../visitors/notices/nothing-at.ts'
import { previewRoute } from '../visitors/pages/preview.site.ts'
import { createPublicPages, type PublicPage } from '../visitors/pages/public-pages.ts'
import { pictureRoute } from '../visitors/pictures/pictures.site.ts'
import { Router } from '../visitors/router.ts'
import type { Handle, RejectVisit } from '../visitors/site.ts'
import { Background } from '../work/background.ts'
import type { Modules } from './modules.ts'
import { OF_API } from './visitors.ts'

/** Password attempts per minute, address and link. */
const LINK_PASSWORD_TRIES = 10

/** How long a stop waits for reports that are being mailed. */
const MAIL_CLOSE_MS = 2_000

/** The visits that the visitors' half passes on: links with passwords or click limits, and pictures that have to be drawn. */
export function openPassedVisits(
  core: Core,
  modules: Modules,
  parts: {
    readonly spool: Spool
    readonly addressOf: AddressReader
    readonly accessLog: AccessLog | undefined
  },
) {
  const { config, blobs, tombstones, changes, kept, closing, reportError, now } = core
  const db = core.db.serving
  const { spool, addressOf } = parts
  const { domainOf, settingsOf, ignoresCase, hasLongerCodes } = modules.domains.registry
  const notices = createHostNotices(settingsOf, config)
  const targets = new TargetFinder(modules.lookup, { ignoresCase, hasLongerCodes })
  changes.onTarget((domain, shortCode) => targets.forget(domain, shortCode))
  changes.onOwners(() => targets.forgetAll())
  modules.abuse.registry.onChange(() => targets.forgetAll())
  changes.onMissed((from) => (from === 'machine' ? targets.forgetAll() : targets.expireAll()))

  const shortUrl: Modules['links']['service']['shortUrl'] = (name) => modules.links.service.shortUrl(name)
  const drawn = new DrawnPreviews()
  const shared = { targets, domainOf, notices, now }
  const cards = createPreviewCards({ ...shared, drawn, shortUrl, sharedMediaUrl: core.sharedMediaUrl })
  const mails = new Background(reportError)
  closing.defer(() => mails.close(MAIL_CLOSE_MS))
  const { mailer, limits } = core
  const report = createReports({ mailer, contact: config.abuseContact, limits, shortUrl, mails })
  const answerVisit = createLinkVisits({
    ...shared,
    cardOf: cards.cardOf,
    takesReports: report !== null,
    checks: {
      clicks: spool,
      takeClick: (linkId, maxClicks) => takeClick(db, linkId, maxClicks),
      hasClicksLeft: (linkId, maxClicks) => hasClicksLeft(db, linkId, maxClicks),
      verifyPassword: (hash, password) => isPassword(password, hash),
      report,
      secondsToWait: async (address, linkId) => {
        const tries = `link-password:${linkId}:${addressBucket(address)}`
        const { allowed, resetMs } = await limits.take(tries, LINK_PASSWORD_TRIES)
        return allowed ? 0 : Math.max(1, Math.ceil(resetMs / 1000))
      },
    },
  })
  const previewOf = async (page: PublicPage): Promise<Preview> => {
    const { logo, logoStatus, images, theme } = configOf(page)
    const hero = images.find(({ status, picture }) => status === 1 && picture !== null)?.picture
    return {
      title: page.title,
      subtext: page.subtext,
      place: modules.pages.service.urlOf(page).replace(/^https?:\/\//, ''),
      theme,
      logo: logo === null || logoStatus === 0 ? undefined : await blobs.need(logo.hash),
      picture: hero == null ? undefined : await blobs.need(hero.hash),
    }
  }
  const codes = new DrawnCodes({
    qrcodes: modules.qrcodes.store,
    barcodes: modules.barcodes.store,
    pictures: core.codeImages,
    blobs,
    kept,
  })
  const tempDir = bodiesIn(config.dataDir)
  const routes = [
    previewRoute({
      publicPages: createPublicPages(db),
      tombstones,
      domainOf,
      draw: (page) => drawn.get(`${page.uuid}-${page.version}`, () => previewOf(page)),
    }),
    cards.route,
    mediaRoute({ blobs, tombstones, kept, sizes: core.imageSizes }),
    pictureRoute({ db, tombstones, kept, draw: (asked) => codes.draw(asked) }),
    ...visitRoutes({
      answerVisit,
      isRouted,
      addressOf,
      readForm: (request) => readVisitForm(request, tempDir),
    }),
  ]
  const found = (request: IncomingMessage) => nothingAt(request, domainOf, notices)
  const openRouter = (reject: RejectVisit): Handle => {
    const router = new Router({
      elsewhere: [...OF_API, sites.ready],
      routes,
      nothingAt: found,
      reject,
      isOwnHost: (host) => domainOf(host) === '',
      isSecure: config.baseUrl.startsWith('https:'),
      addressOf,
      idOf: (request) => clientOf(request).requestId,
      name: parts.accessLog?.name,
      report: reportError,
    })
    return router.handle
  }
  return { openRouter, nothingAt: found }
}
