import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { browserCookieName } from '../accounts/known-browsers.ts'
import { oidcCookieName } from '../accounts/oidc/identities.service.ts'
import { sessionCookieName } from '../accounts/sessions/sessions.service.ts'
import type { AccessLog } from '../api/access-log.ts'
import { UploadBudget } from '../api/body/temp-folder.ts'
import { dashboardSite } from '../api/dashboard.site.ts'
import { docsSite } from '../api/docs/docs.site.ts'
import type { Idempotency } from '../api/steps/idempotency.ts'
import { readIfMatch } from '../api/steps/fields.ts'
import { createCors } from '../api/responses.ts'
import type { RequestFacts } from '../api/routes.ts'
import { createHttpServer } from '../api/server.ts'
import { statusSite } from '../api/status.site.ts'
import type { Core } from '../modules/module.ts'
import { type AddressReader, createProxyTest } from '../net/client-address.ts'
import { isPublicAddress } from '../net/public-address.ts'
import { openReplay } from '../net/replay/open.ts'
import { storedKey } from '../storage/stored-key.ts'
import type { Notice } from '../visitors/notices/notices.ts'
import { type Metrics, metricsOfAllProcesses } from '../work/metrics.ts'
import type { Modules } from './modules.ts'
import type { Visitors } from './visitors.ts'

const DASHBOARD = fileURLToPath(new URL('../../../web/dist', import.meta.url))
const DOCS = fileURLToPath(new URL('../../build/docs-site', import.meta.url))

interface ApiParts {
  readonly modules: Modules
  readonly visitors: Visitors
  readonly idempotency: Idempotency
  readonly metrics: Metrics
  readonly addressOf: AddressReader
  readonly accessLog: AccessLog | undefined
}

/** Opens the HTTP server: the operations of all modules, and the sites. */
export async function openApi(core: Core, parts: ApiParts): Promise<FastifyInstance> {
  const { config, db, disk, limits, log, closing, reportError, now } = core
  const { modules, visitors, idempotency, metrics, addressOf } = parts
  const isProxy = createProxyTest(config.trustProxy)
  // Does not depend on the current secret, so that changing the secret has no effect on it.
  const replayKey = await storedKey(db, core.secrets, 'replay', randomBytes(32).toString('hex'))
  const replay = await openReplay(db, config.dataDir, replayKey, { report: reportError })
  closing.defer(() => replay.close())
  const http = createHttpServer({
    callers: {
      byKey: (apiKey) => modules.keys.service.findUsable(apiKey),
      byToken: (token) => modules.keys.tokens.findUsable(token),
      bySession: (token) => modules.sessions.service.find(token),
    },
    replay,
    limits,
    rates: config.rateLimits,
    idempotency,
    reading: (work) => db.read(work),
    writing: (work) => db.write(work),
    audit: {
      record: (entries) => modules.audit.service.record(entries),
      noteRejected: (entry) => modules.audit.service.noteRejected(entry),
    },
    changesKnown: () => core.bus.settled(),
    factsOf: factsReader(config.baseUrl, addressOf),
    addressOf,
    memberships: modules.memberships,
    rights: modules.rights,
    workspaceExists: async (workspaceUuid) =>
      (await modules.accounts.workspaces.find(workspaceUuid)) !== undefined,
    noteUse: ({ kind, uuid }) => modules.keys[kind === 'key' ? 'service' : 'tokens'].noteUse(uuid),
    ownOrigin: config.baseUrl,
    hasRoom: () => disk.hasRoomForRows(),
    chargeStorage: (workspaceUuid, bytes) => modules.accounts.storage.charge(workspaceUuid, bytes),
    uploads: new UploadBudget(undefined, (bytes) => disk.hasRoomFor(bytes)),
    dataDir: config.dataDir,
    log,
    now,
    routes: modules.list.flatMap(({ routes }) => routes),
    sites: [
      statusOf(core, visitors, metrics),
      ...modules.list.flatMap(({ sites = [] }) => sites),
      docsSite(config.baseUrl, DOCS),
      dashboardSite(DASHBOARD),
    ],
    front: visitors.front,
    openRouter: visitors.openRouter,
    takeConnections: config.logRequests === 'all' ? () => {} : visitors.takeConnections,
    accessLog: parts.accessLog,
    connectionsPerAddress: config.connectionsPerAddress,
    isExemptAddress: (address) => !isPublicAddress(address) || isProxy(address),
    cors: createCors(config.corsOrigins),
    isOwnHost: (host) => modules.domains.registry.domainOf(host) === '',
    notFoundPage: async (request, reply) => sendNotice(reply, visitors.nothingAt(request.raw)),
    observe: (operation, status, seconds) => metrics.observe(operation, status, seconds),
  })
  closing.defer(() => http.close())
  return http
}

/** Sends a notice through Fastify, which adds the headers of its hooks. */
function sendNotice(reply: FastifyReply, { status, headers, body }: Notice): FastifyReply {
  const pairs = Array.from({ length: headers.length / 2 }, (_, at) => headers.slice(2 * at, 2 * at + 2))
  return (
    reply
      .code(status)
      .headers(Object.fromEntries(pairs) as Record<string, string>)
      // Fastify gives every buffer a content type, even an empty one; a redirect has none.
      .send(body.length === 0 ? undefined : body)
  )
}

const factsReader = (baseUrl: string, addressOf: AddressReader) => {
  const isSecure = baseUrl.startsWith('https:')
  const [sessionName, browserName] = [sessionCookieName(isSecure), browserCookieName(isSecure)]
  const oidcName = oidcCookieName(isSecure)
  return (request: FastifyRequest): RequestFacts => {
    const { cookie } = request.headers
    const cookies = cookie === undefined ? {} : parseCookie(cookie)
    return {
      address: addressOf(request.raw),
      userAgent: request.headers['user-agent'],
      acceptLanguage: request.headers['accept-language'],
      accept: request.headers.accept ?? '',
      requestId: request.id,
      knownVersions: readIfMatch(request.headers['if-match']),
      sessionToken: cookies[sessionName],
      browserToken: cookies[browserName],
      oidcToken: cookies[oidcName],
    }
  }
}

/** The checks of `/readyz`, also used by the metrics. */
export const statusOf = (
  { config, db, disk, limits, statistics }: Core,
  { clicks }: Visitors,
  { registry }: Metrics,
) =>
  statusSite(
    [
      { name: 'database', look: () => db.ping().then(() => undefined), vital: () => true },
      {
        name: 'clicks',
        look: () => Promise.resolve(clicksFault(clicks, statistics.sender)),
        // Clicks in the spool are safe: only a spool that cannot be written loses some.
        vital: () => !clicks.spool.status().ok,
      },
      {
        name: 'disk',
        look: () => Promise.resolve(disk.hasRoomFor(0) ? undefined : 'low'),
        vital: () => false,
      },
      ...(config.redisUrl === undefined
        ? []
        : [{ name: 'redis', look: () => Promise.resolve(limits.fault()), vital: () => false }]),
    ],
    metricsOfAllProcesses(registry),
    config.metricsToken,
  )

/** One word: the message, which may contain paths and addresses, is only logged. */
function clicksFault(
  { spool, ingest }: Visitors['clicks'],
  sender: Core['statistics']['sender'],
): string | undefined {
  if (!spool.status().ok) return 'unavailable'
  return ingest.status().ok && sender?.fault === undefined ? undefined : 'waiting'
}
