import cluster from 'node:cluster'
import { pino, type Logger } from 'pino'
import { type App, openApp } from './app.ts'
import type { Config } from '../config.ts'
import { closeIdleLater } from './idle-connections.ts'
import { announce, onFirstHost } from './listen-host.ts'
import { lockDataFolder } from './server-lock.ts'
import { primaryChannel } from '../net/bus/channel.ts'
import { onStopRequest } from '../work/stop-request.ts'

const DRAIN_MS = 6_000
/** Every worker has a socket of its own on the port, and the kernel deals the connections out among them. */
const shared = cluster.isWorker ? { reusePort: true } : {}

/** Runs the service until it is told to stop, in this process or in several. */
export async function serve(config: Config): Promise<void> {
  if (config.databaseUrl === undefined && !cluster.isWorker) await lockDataFolder(config.dataDir)
  if (config.workers === 1 || cluster.isWorker) return serveHere(config)
  const { runPrimary } = await import('./workers.ts')
  return runPrimary(config)
}

async function serveHere(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel })
  // Registered first: a request to stop during the start lets the start finish, and then closes what it opened.
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
  // The rest is cut off in time for everything to be flushed within ten seconds.
  setTimeout(() => app.http.server.closeAllConnections(), DRAIN_MS).unref()
  app.close().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, 'the stop failed')
      process.exit(1)
    },
  )
}
