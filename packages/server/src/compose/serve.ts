import cluster from 'node:cluster'
import { readFile, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type OwnerLock, tryLock } from '../clicks/spool/spool-folder.ts'
import type { Config } from '../config.ts'
import { primaryChannel } from '../net/bus/channel.ts'
import { OperatorError } from '../net/errors.ts'
import { onStopRequest } from '../work/stop-request.ts'
import { type App, openApp } from './app.ts'
import { announce, onFirstHost } from './listen-host.ts'

const DRAIN_MS = 6_000
/** Every worker has its own socket on the port, and the kernel distributes connections among them. */
const shared = cluster.isWorker ? { reusePort: true } : {}

/** Runs the service until it receives a signal to stop, in one process or in several. */
export async function serve(config: Config): Promise<void> {
  if (config.databaseUrl === undefined && !cluster.isWorker) await lockDataFolder(config.dataDir)
  if (config.workers === 1 || cluster.isWorker) return serveHere(config)
  const { runPrimary } = await import('./workers.ts')
  return runPrimary(config)
}

async function serveHere(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel })
  // Registered first: after a request to stop during the start, the start finishes, and everything is closed.
  const stopRequest = Promise.withResolvers<void>()
  let isStopping = false
  onStopRequest(() => {
    isStopping = true
    stopRequest.resolve()
  })
  const app = await openApp(config, log)
  void stopRequest.promise.then(() => stop(app, log))
  if (isStopping) return
  await onFirstHost(config.host, (host) => app.http.listen({ host, port: config.port, ...shared }))
  if (cluster.isWorker) primaryChannel().send({ kind: 'ready' })
  else await announce(config, '')
}

/** Finishes the requests in flight, closes everything and ends the process. */
function stop(app: App, log: Logger): void {
  closeIdleLater(app.http.server)
  // Remaining connections are closed early enough to flush everything within ten seconds.
  setTimeout(() => app.http.server.closeAllConnections(), DRAIN_MS).unref()
  app.close().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, 'the stop failed')
      process.exit(1)
    },
  )
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
  // Fastify and node:http call this at the very start of their own close.
  server.closeIdleConnections = () => undefined
  // Timers run before sockets are read. By the next immediate, arrived requests are read and their connections not idle.
  const closeAfterReading = (): void => void setImmediate(closeIdle)
  setTimeout(() => {
    closeAfterReading()
    setInterval(closeAfterReading, CHECK_MS).unref()
  }, GRACE_MS).unref()
}

/** Describes the owner of the lock. Other processes cannot read the lock file itself. */
const HOLDER = 'server.json'

interface Holder {
  readonly pid?: unknown
  readonly since?: unknown
}

let held: OwnerLock | undefined

/**
 * Prevents a second server on a data folder with an SQLite database, because each would serve stale cached links. The
 * operating system releases the lock when the process ends in any way. Workers and the command line do not need it.
 */
export async function lockDataFolder(dataDir: string): Promise<void> {
  const holder = join(dataDir, HOLDER)
  held = tryLock(dataDir, 'server')
  if (held === undefined) {
    const { pid, since } = await readFile(holder, 'utf8').then(
      (text) => JSON.parse(text) as Holder,
      (): Holder => ({}),
    )
    throw new OperatorError(
      `another Waymark runs on ${dataDir}: process ${String(pid)}, since ${String(since)}. Stop it, or set DATA_DIR to another folder`,
    )
  }
  const own: Holder = { pid: process.pid, since: new Date().toISOString() }
  await writeFile(holder, JSON.stringify(own), { mode: 0o600 })
}
