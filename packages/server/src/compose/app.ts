import { randomUUIDv7 } from 'node:crypto'
import { resolveTxt } from 'node:dns/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isReserved, sites } from '@waymark/contract'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pino, type Logger } from 'pino'
import { openClicks } from '../clicks/open.ts'
import { createClickEraser } from '../clicks/statistics/erasure.ts'
import type { Config } from '../config.ts'
import { measure } from './metrics.ts'
import { accountRoutes } from '../modules/accounts/accounts.routes.ts'
import { AccountService } from '../modules/accounts/accounts.service.ts'
import { InvoiceService } from '../modules/accounts/invoices.service.ts'
import { createInvoiceStore } from '../modules/accounts/invoices.store.ts'
import { isPassword } from '../modules/accounts/passwords.ts'
import { createQuotas } from '../modules/accounts/quotas.ts'
import { RemovalService } from '../modules/accounts/removal.service.ts'
import { createUserStore } from '../modules/accounts/users.store.ts'
import { domainRoutes } from '../modules/domains/domains.routes.ts'
import { DomainService } from '../modules/domains/domains.service.ts'
import { createDomainStore } from '../modules/domains/domains.store.ts'
import { openDomainRegistry } from '../modules/domains/registry.ts'
import { analyticsRoutes } from '../modules/analytics/analytics.routes.ts'
import { createAnalytics } from '../modules/analytics/analytics.service.ts'
import { barcodeRoutes } from '../modules/barcodes/barcodes.routes.ts'
import { BarcodeService } from '../modules/barcodes/barcodes.service.ts'
import { createBarcodeStore } from '../modules/barcodes/barcodes.store.ts'
import { healthRoutes } from '../modules/health/health.routes.ts'
import { keyRoutes } from '../modules/keys/keys.routes.ts'
import { KeyService } from '../modules/keys/keys.service.ts'
import { createKeyStore } from '../modules/keys/keys.store.ts'
import { randomShortCode } from '../modules/links/short-codes.ts'
import { LinkTransfer } from '../modules/links/link-transfer.service.ts'
import { linkRoutes } from '../modules/links/links.routes.ts'
import { LinkService } from '../modules/links/links.service.ts'
import { type ShortCodeName, createLinkStore } from '../modules/links/links.store.ts'
import { TrackedLinks } from '../modules/links/tracking.ts'
import { pageRoutes } from '../modules/pages/pages.routes.ts'
import { PageService } from '../modules/pages/pages.service.ts'
import { createPageStore, type SlugName } from '../modules/pages/pages.store.ts'
import { createImageUrls } from '../modules/codes/image-urls.ts'
import { qrcodeRoutes } from '../modules/qrcodes/qrcodes.routes.ts'
import { QrcodeService } from '../modules/qrcodes/qrcodes.service.ts'
import { createQrcodeStore } from '../modules/qrcodes/qrcodes.store.ts'
import { sessionRoutes } from '../modules/sessions/sessions.routes.ts'
import { SessionService, sessionCookieName } from '../modules/sessions/sessions.service.ts'
import { createSessionStore } from '../modules/sessions/sessions.store.ts'
import { SignInService } from '../modules/sessions/sign-in.service.ts'
import { utmRoutes } from '../modules/utm/utm.routes.ts'
import { UtmService } from '../modules/utm/utm.service.ts'
import { createUtmStore } from '../modules/utm/utm.store.ts'
import { openWebhooks } from '../modules/webhooks/open-webhooks.ts'
import { webhookRoutes } from '../modules/webhooks/webhooks.routes.ts'
import { openBlobs } from '../storage/blobs/open.ts'
import { BlobKeeper } from '../storage/blobs/keeper.ts'
import { openBus } from '../runtime/bus/open.ts'
import { openDatabase } from '../storage/db/open.ts'
import { makePrivateFolder } from '../storage/db/private-folder.ts'
import { addressBucket, createAddressReader } from '../runtime/client-address.ts'
import { createCors } from '../api/cors.ts'
import { createIdempotency } from '../api/idempotency.ts'
import type { RequestFacts } from '../api/routes.ts'
import { createHttpServer } from '../api/server.ts'
import type { Front } from '../visitors/site.ts'
import { startJobs } from '../runtime/jobs/jobs.ts'
import { openLimits } from '../runtime/limits/open.ts'
import { createMailer } from '../runtime/mail.ts'
import { metricsOfAllProcesses } from '../runtime/metrics/all-processes.ts'
import { createMetrics } from '../runtime/metrics/metrics.ts'
import { createImageSizes } from '../imaging/sizes/image-sizes.ts'
import { openCodeImages } from '../imaging/codes/code-images.ts'
import { openReplay } from '../runtime/replay/open.ts'
import { createSecrets, keptSecretKey } from '../runtime/secrets.ts'
import { createTombstones } from '../storage/tombstones.ts'
import { periodicJobs } from './periodic.ts'
import { hasClicksLeft, takeClick } from '../clicks/click-limits.ts'
import { createRedirector } from '../visitors/links/redirector.ts'
import { createLinkVisits } from '../visitors/links/link-visits.ts'
import { notice, type NoticeKind } from '../visitors/notices/notices.ts'
import { openLookup } from '../visitors/links/open-lookup.ts'
import { TargetCache } from '../visitors/links/target-cache.ts'
import { TargetFinder } from '../visitors/links/target-finder.ts'
import { dashboardSite } from '../api/dashboard.site.ts'
import { docsSite } from '../api/docs/docs.site.ts'
import { faviconSite } from '../visitors/favicon.site.ts'
import { invoiceSite } from '../modules/accounts/invoice.site.ts'
import { mediaPath, mediaSite } from '../visitors/media/media.site.ts'
import { openPageSites } from '../visitors/pages/page-sites.ts'
import { pictureSite } from '../visitors/pictures/pictures.site.ts'
import { visitSite } from '../visitors/links/visit.site.ts'
import { statusSite } from '../api/status.site.ts'

const newId = (): string => randomUUIDv7()
const now = Date.now

/** Tries per minute of one address at the password of one link. */
const LINK_PASSWORD_TRIES = 10

const TARGET_CHANGED = 'target'
const CALLER_CHANGED = 'caller'
const PAGE_CHANGED = 'page'

export type Core = Awaited<ReturnType<typeof openCore>>

/** Storage and services, without a server: what the command line needs, too. */
export async function openCore(config: Config, log: Logger) {
  const reportError = (error: unknown): void => log.error({ err: error }, 'background work failed')
  await makePrivateFolder(config.dataDir)
  const secrets = createSecrets(config.secretKey ?? (await keptSecretKey(config.dataDir)))
  const db = await openDatabase({
    url: config.databaseUrl,
    readUrl: config.databaseReadUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    statementTimeoutMs: config.databaseStatementTimeoutMs,
    report: reportError,
  })
  const bus = openBus({ redisUrl: config.redisUrl, report: reportError })
  const blobStore = await openBlobs({ url: config.s3Url, dataDir: config.dataDir })
  const blobs = new BlobKeeper(db, blobStore, { report: reportError })
  const tombstones = createTombstones(db, secrets, now)

  const callerChanged = (): void => bus.publish(CALLER_CHANGED, '')
  const targetChanged = ({ domain, code }: ShortCodeName): void =>
    bus.publish(TARGET_CHANGED, `${domain}\n${code}`)
  const pageChanged = ({ domain, slug }: SlugName): void => bus.publish(PAGE_CHANGED, `${domain}\n${slug}`)
  const mediaUrl = (hash: string): string => config.baseUrl + mediaPath(hash)

  const users = createUserStore(db)
  const quotas = createQuotas(db, users, config.plans)
  const invoices = new InvoiceService({
    db,
    store: createInvoiceStore(db),
    users,
    plans: config.plans,
    seller: config.seller,
    secrets,
    baseUrl: config.baseUrl,
    invoicePath: sites.invoice,
    now,
    newId,
  })
  const sessionStore = createSessionStore(db)
  const secure = config.baseUrl.startsWith('https:')
  const sessions = new SessionService({ db, store: sessionStore, secure, now, newId })
  const accounts = new AccountService({
    db,
    users,
    invoices,
    plans: config.plans,
    blobs,
    mediaUrl,
    endOtherSessions: (userUuid, kept) => sessions.removeOthers(userUuid, kept),
    now,
    newId,
  })
  const keys = new KeyService({
    db,
    store: createKeyStore(db),
    secrets,
    callerChanged,
    reportError,
    now,
    newId,
  })
  const domainStore = createDomainStore(db)
  const registry = await openDomainRegistry(domainStore, config.baseUrl)
  const domains = new DomainService({
    db,
    store: domainStore,
    registry,
    quotas,
    baseUrl: config.baseUrl,
    resolveTxt: (name) =>
      resolveTxt(name).then(
        (records) => records.map((parts) => parts.join('')),
        () => [],
      ),
    now,
  })
  const webhooks = await openWebhooks({
    db,
    bus,
    secrets,
    allowPrivate: config.webhookAllowPrivate,
    reportError,
    now,
    newId,
  })
  const { events } = webhooks
  const linkStore = createLinkStore(db)
  const links = new LinkService({
    db,
    events,
    store: linkStore,
    domains,
    quotas,
    tombstones,
    isServed: registry.isServed,
    targetChanged,
    now,
    newId,
    newCode: randomShortCode,
  })
  const transfer = new LinkTransfer({ db, store: linkStore, links })
  const pictures = openCodeImages()
  const tracked = new TrackedLinks(links)
  const addresses = createImageUrls(config.baseUrl)
  const shared = { db, events, links, tracked, quotas, now, newId }
  const coded = { ...shared, pictures, blobs, tombstones, addresses, mediaUrl }
  const qrcodeStore = createQrcodeStore(db)
  const qrcodes = new QrcodeService({ ...coded, store: qrcodeStore })
  const barcodeStore = createBarcodeStore(db)
  const barcodes = new BarcodeService({ ...coded, store: barcodeStore })
  const utm = new UtmService({ ...shared, store: createUtmStore(db) })
  const pageStore = createPageStore(db)
  const pages = new PageService({
    db,
    events,
    store: pageStore,
    blobs,
    links,
    qrcodes,
    domains,
    quotas,
    tombstones,
    mediaUrl,
    pageChanged,
    now,
    newId,
  })
  const removal = new RemovalService({
    db,
    blobs,
    erasers: [
      (userUuid) => webhooks.service.eraseSome(userUuid),
      (userUuid) => pages.eraseSome(userUuid),
      (userUuid) => utm.eraseSome(userUuid),
      (userUuid) => qrcodes.eraseSome(userUuid),
      (userUuid) => barcodes.eraseSome(userUuid),
      (userUuid) => links.eraseSome(userUuid),
      createClickEraser(db),
      (userUuid) => domainStore.removeOfUser(userUuid).then(() => false),
    ],
    tombstones,
    callerChanged,
    now,
    newId,
  })
  bus.subscribe(CALLER_CHANGED, () => keys.forget())
  bus.onMissed(() => keys.forget())

  return {
    db,
    bus,
    blobs,
    secrets,
    tombstones,
    users,
    accounts,
    invoices,
    sessions,
    sessionStore,
    keys,
    domains,
    registry,
    webhooks,
    links,
    transfer,
    pictures,
    qrcodes,
    qrcodeStore,
    barcodes,
    barcodeStore,
    utm,
    pages,
    pageStore,
    removal,
    reportError,
    async close(): Promise<void> {
      await registry.close()
      await webhooks.close()
      await pictures.close()
      await bus.close()
      await blobs.close()
      await db.close()
      await blobStore.close()
    },
  }
}

export interface App {
  readonly http: FastifyInstance
  close(): Promise<void>
}

/** The whole service, ready to listen. */
export async function openApp(config: Config, log: Logger = pino({ level: config.logLevel })): Promise<App> {
  const core = await openCore(config, log)
  const { db, tombstones, registry, reportError } = core
  const limits = openLimits({ redisUrl: config.redisUrl, report: reportError })
  const replay = await openReplay(db, config.dataDir, { report: reportError })
  const mailer = createMailer(config.smtpUrl, `Waymark <no-reply@${new URL(config.baseUrl).hostname}>`, log)
  const metrics = createMetrics()
  const addressOf = createAddressReader(config.trustProxy)
  const cookieName = sessionCookieName(config.baseUrl.startsWith('https:'))
  const factsOf = (request: FastifyRequest): RequestFacts => ({
    address: addressOf(request.raw),
    userAgent: request.headers['user-agent'],
    accept: request.headers.accept ?? '',
    requestId: request.id,
    sessionToken:
      request.headers.cookie === undefined ? undefined : parseCookie(request.headers.cookie)[cookieName],
  })
  const signIn = new SignInService({
    db,
    users: core.users,
    accounts: core.accounts,
    sessions: core.sessions,
    store: core.sessionStore,
    limits,
    mailer,
    signup: config.signup,
    dashboardUrl: config.baseUrl + sites.dashboard,
    reportError,
    now,
  })

  const clicks = openClicks(config, log)
  const targets = new TargetFinder(
    new TargetCache(),
    openLookup(db, (domain, code) => tombstones.hash(['code', domain, code])),
  )
  let passOn: Parameters<Front>[2] = () => {}
  const redirector = createRedirector({
    targets,
    clicks: clicks.spool,
    isReserved,
    domainOf: registry.domainOf,
    addressOf,
    now,
    fallThrough: (request, response) => passOn(request, response),
  })
  const answerVisit = createLinkVisits({
    targets,
    clicks: clicks.spool,
    isReserved,
    domainOf: registry.domainOf,
    now,
    takeClick: (linkId, maxClicks) => takeClick(db, linkId, maxClicks),
    hasClicksLeft: (linkId, maxClicks) => hasClicksLeft(db, linkId, maxClicks),
    verifyPassword: (hash, password) => isPassword(password, hash),
    secondsToWait: async (address, linkId) => {
      const { allowed, resetMs } = await limits.take(
        `link-password:${linkId}:${addressBucket(address)}`,
        LINK_PASSWORD_TRIES,
      )
      return allowed ? 0 : Math.max(1, Math.ceil(resetMs / 1000))
    },
  })
  const pageSites = openPageSites({
    store: core.pageStore,
    blobs: core.blobs,
    tombstones,
    urlOf: (name) => core.pages.urlOf(name),
    clicks: clicks.spool,
    domainOf: registry.domainOf,
    addressOf,
    report: reportError,
    now,
  })
  core.bus.subscribe(PAGE_CHANGED, (message) => {
    const [domain = '', slug = ''] = message.split('\n')
    pageSites.pages.forget(domain, slug)
  })
  core.bus.subscribe(TARGET_CHANGED, (message) => {
    const [domain = '', code = ''] = message.split('\n')
    targets.forget(domain, code)
  })
  // A removed account takes all its links along; and after an interruption nobody knows what has changed.
  const forgetAll = (): void => {
    targets.forgetAll()
    pageSites.pages.forgetAll()
  }
  core.bus.subscribe(CALLER_CHANGED, forgetAll)
  core.bus.onMissed(forgetAll)

  const idempotency = createIdempotency(db, now)
  const http = createHttpServer({
    callers: {
      byKey: (apiKey) => core.keys.findUsable(apiKey),
      bySession: (token) => core.sessions.find(token),
    },
    replay,
    limits,
    rates: config.rateLimits,
    idempotency,
    reading: (work) => db.read(work),
    factsOf,
    noteUse: (keyUuid) => core.keys.noteUse(keyUuid),
    ownOrigin: config.baseUrl,
    dataDir: config.dataDir,
    log,
    now,
    routes: [
      ...healthRoutes,
      ...accountRoutes(core.accounts, core.invoices, core.removal),
      ...keyRoutes(core.keys),
      ...sessionRoutes(signIn, core.sessions, {
        name: 'Waymark',
        base_url: config.baseUrl,
        signup: config.signup,
      }),
      ...domainRoutes(core.domains),
      ...webhookRoutes(core.webhooks.service),
      ...linkRoutes(core.links, core.transfer),
      ...analyticsRoutes(createAnalytics(db, now)),
      ...qrcodeRoutes(core.qrcodes),
      ...barcodeRoutes(core.barcodes),
      ...utmRoutes(core.utm),
      ...pageRoutes(core.pages),
    ],
    sites: [
      statusSite(
        [
          { name: 'database', look: () => db.ping().then(() => undefined), vital: true },
          { name: 'clicks', look: () => Promise.resolve(clicks.fault()), vital: false },
        ],
        metricsOfAllProcesses(metrics.registry),
        config.metricsToken,
      ),
      mediaSite(
        core.blobs,
        createImageSizes((hash) => core.blobs.get(hash), reportError),
        tombstones,
      ),
      pageSites.site,
      faviconSite,
      pictureSite({
        qrcodes: core.qrcodeStore,
        barcodes: core.barcodeStore,
        pictures: core.pictures,
        blobs: core.blobs,
        tombstones,
      }),
      invoiceSite(core.invoices),
      docsSite(config.baseUrl),
      visitSite(answerVisit, addressOf, join(config.dataDir, 'temp')),
      dashboardSite(fileURLToPath(new URL('../../../web/dist', import.meta.url))),
    ],
    front: (request, response, pass) => {
      passOn = pass
      return redirector.handle(request, response) || pageSites.front(request, response)
    },
    cors: createCors(config.corsOrigins),
    isOwnHost: (host) => registry.domainOf(host) === '',
    notFoundPage: (request, reply) => sendNotice('notFound', request, reply),
    observe: (operation, status, seconds) => metrics.observe(operation, status, seconds),
  })

  const { clickRetentionDays } = config
  const jobs = startJobs({
    db,
    holder: newId(),
    jobs: periodicJobs(core, idempotency, { clickRetentionDays, now }),
    report: reportError,
  })
  core.webhooks.dispatcher.start()
  measure(metrics, {
    db,
    redirects: redirector.counts,
    targets: targets.counts,
    clicks,
    jobs,
    webhooks: core.webhooks.dispatcher.counts,
  })

  return {
    http,
    async close() {
      await Promise.all([http.close(), jobs.close(), core.webhooks.dispatcher.close()])
      await signIn.close()
      await clicks.close()
      await replay.close()
      await limits.close()
      mailer.close()
      await core.close()
    },
  }
}

const sendNotice = async (
  kind: NoticeKind,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { status, headers, body } = notice(kind, request.headers.accept)
  const pairs = Array.from({ length: headers.length / 2 }, (_, at) => headers.slice(2 * at, 2 * at + 2))
  return reply
    .code(status)
    .headers(Object.fromEntries(pairs) as Record<string, string>)
    .send(body)
}
