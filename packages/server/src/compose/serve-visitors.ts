import type { IncomingMessage, Server } from 'node:http'
import { type Logger, pino } from 'pino'
import { openSpool } from '../clicks/spool/open-spool.ts'
import type { Spool } from '../clicks/spool/spool.ts'
import type { Config } from '../config.ts'
import { type AccessLog, createAccessLog } from '../net/access-log.ts'
import { type Channel } from '../net/bus/channel.ts'
import { createChanges } from '../net/bus/changes.ts'
import { openBus } from '../net/bus/open.ts'
import { createAddressReader } from '../net/client-address.ts'
import { openBlobs } from '../storage/blobs/open.ts'
import { StoredFiles } from '../storage/blobs/stored-files.ts'
import { openReader } from '../storage/db/open-reader.ts'
import { newRequestId } from '../storage/db/ids.ts'
import { KeptPictures } from '../storage/kept-pictures.ts'
import { createSecrets, storedSecretKey } from '../storage/secrets.ts'
import { findStoredKey, TOMBSTONE_KEY } from '../storage/stored-key.ts'
import { readTombstones } from '../storage/tombstones.ts'
import { createProxy, type Proxy } from '../visitors/proxy.ts'
import { createVisitorServer, type VisitorServer } from '../visitors/server.ts'
import { statusRoutes } from '../visitors/status.site.ts'
import { createMetrics, SharedMetrics } from '../work/metrics.ts'
import { type Half, obeyParent } from './half.ts'
import { handlersOf } from './handlers.ts'
import { onFirstHost } from './listen-host.ts'
import { measureVisitors } from './metrics.ts'
import { openVisitors, type VisitorCore } from './visitors.ts'

/** Remaining connections are closed early enough to count all clicks within ten seconds. */
const DRAIN_MS = 6_000

/** Runs the visitors' half until it is told to stop. Connections are accepted at once, and served when storage is open. */
export async function serveVisitors(
  config: Config,
  half: Half,
  channel: Channel,
  shared: { readonly reusePort?: boolean } = {},
): Promise<void> {
  const log = pino({ level: config.logLevel })
  if (half.isChild) obeyParent()
  const opened = Promise.withResolvers<void>()
  let isStopping = false
  let stop = (): void => undefined
  let proxy: Proxy | undefined
  let isApiUp = false
  let lost = (): void => undefined
  channel.listen(({ kind }) => {
    if (kind === 'opened') opened.resolve()
    if (kind === 'api up') {
      isApiUp = true
      proxy?.up()
    }
    if (kind === 'api down') {
      isApiUp = false
      proxy?.down()
      lost()
    }
    if (kind === 'stop' && !isStopping) {
      isStopping = true
      stop()
    }
  })
  const visitorServer = createVisitorServer()
  const { server } = visitorServer
  await onFirstHost(config.host, (host) => listen(server, { host, port: config.port, ...shared }))
  if (!half.isOpened) await opened.promise
  const closing = new AsyncDisposableStack()
  const core = await openCore(config, log, closing, channel)
  const spool = openSpool(config, half.spool, log)
  const addressOf = createAddressReader(config.trustProxy)
  const accessLog = createAccessLog({
    mode: config.logRequests,
    withAddresses: config.logAddresses,
    addressOf,
    log,
  })
  proxy = openProxy(half, addressOf, accessLog, () => lost())
  const shown = proxy
  const visitors = await openVisitors(core, {
    spool,
    addressOf,
    accessLog,
    own: ({ refreshedAt }) =>
      statusRoutes({
        ping: () => core.db.ping(),
        lastReadAt: refreshedAt,
        spool,
        proxy: shown,
        now: () => performance.now(),
      }),
  })
  lost = visitors.forgetAll
  const metrics = createMetrics()
  measureVisitors(metrics, visitors, spool)
  void new SharedMetrics(metrics.registry, channel)
  if (isApiUp) proxy.up()
  visitorServer.serve(handlersOf(config, visitors, accessLog, proxy.passOn))
  stop = () =>
    void close(visitorServer, spool, closing, log).then((code) => {
      if (half.isChild) process.exit(code)
      channel.send({ kind: 'stopped', code })
    })
  if (isStopping) stop()
  else channel.send({ kind: 'ready' })
}

const listen = (server: Server, at: { host: string; port: number; reusePort?: boolean }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** Finishes the requests in flight, and writes the last clicks. */
async function close(
  front: VisitorServer,
  spool: Spool,
  closing: AsyncDisposableStack,
  log: Logger,
): Promise<number> {
  closeIdleLater(front.server)
  setTimeout(() => front.server.closeAllConnections(), DRAIN_MS).unref()
  try {
    await front.close()
    spool.close()
    spool.release()
    await closing.disposeAsync()
    return 0
  } catch (error) {
    log.error({ err: error }, 'the stop failed')
    return 1
  }
}

async function openCore(
  config: Config,
  log: Logger,
  closing: AsyncDisposableStack,
  channel: Channel,
): Promise<VisitorCore> {
  const reportError = (error: unknown): void => log.error({ err: error }, 'background work failed')
  const secretKey = config.secretKey ?? (await storedSecretKey(config.dataDir))
  const secrets = createSecrets(secretKey, config.secretKeyPrevious)
  const blobStore = await openBlobs({ url: config.s3Url, dataDir: config.dataDir })
  closing.defer(() => blobStore.close())
  const db = await openReader({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    statementTimeoutMs: config.databaseStatementTimeoutMs,
    report: reportError,
  })
  closing.defer(() => db.close())
  const bus = openBus({ redisUrl: config.redisUrl, postgres: db.postgres, channel, report: reportError })
  closing.defer(() => bus.close())
  const tombstoneKey = await findStoredKey(db, secrets, TOMBSTONE_KEY)
  if (tombstoneKey === undefined) throw new Error('The database has no key of tombstones')
  return {
    config,
    log,
    db,
    blobs: new StoredFiles(db, blobStore, reportError),
    tombstones: readTombstones(db, tombstoneKey),
    secrets,
    changes: createChanges(bus),
    kept: new KeptPictures(config.dataDir),
    reportError,
    now: Date.now,
    closing,
  }
}

function openProxy(
  { socketPath }: Half,
  addressOf: (request: IncomingMessage) => string,
  accessLog: AccessLog | undefined,
  lost: () => void,
): Proxy {
  return createProxy({
    socketPath,
    clientOf: (request) => ({ address: addressOf(request), requestId: newRequestId() }),
    failed: (request, requestId) => accessLog?.name(request, 'proxy', requestId),
    lost,
  })
}

/** How long a request may be in transit on a connection that looks idle. */
const GRACE_MS = 500
const CHECK_MS = 100

/**
 * Called when a stop begins. A client may send its next request before it knows of the stop, so idle connections stay open
 * for a moment: the server responds to requests on them, and closes the connection after the response. The others are closed
 * repeatedly, because a client keeps its connection open after the last response.
 */
export function closeIdleLater(server: Server): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  // node:http calls this at the very start of its own close.
  server.closeIdleConnections = () => undefined
  // Timers run before sockets are read. By the next immediate, arrived requests are read and their connections not idle.
  const closeAfterReading = (): void => void setImmediate(closeIdle)
  setTimeout(() => {
    closeAfterReading()
    setInterval(closeAfterReading, CHECK_MS).unref()
  }, GRACE_MS).unref()
}
