import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { pino, type Logger } from 'pino'
import type { Config } from '../config.ts'
import { Crew } from './crew.ts'
import { announce, onFirstHost } from './listen-host.ts'
import { serveWorkers } from '../net/bus/cluster.ts'
import { openDatabase } from '../storage/db/open.ts'
import { WindowCounters } from '../net/limits/limits.ts'
import { keptSecretKey } from '../storage/secrets.ts'
import { onStopRequest } from '../work/stop-request.ts'

/** Runs several processes on one port: this one counts for all of them, and replaces the dead. */
export async function runPrimary(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel })
  const port = await freePort(config)
  await prepare(config, log)
  const counters = new WindowCounters()
  serveWorkers((key, cost, windowMs) => counters.add(key, Date.now(), cost, windowMs))
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.ts', import.meta.url)), args: [] })
  const crew = new Crew(config.workers, { PORT: String(port) }, log)
  onStopRequest(() => crew.stop())
  await crew.start()
  await announce(config, `${config.workers} processes, `)
}

/** Sockets that share a port do not see whose it is: another instance must be noticed before there are any. */
async function freePort({ host, port }: Config): Promise<number> {
  const probe = createServer()
  await onFirstHost(host, async (at) => {
    probe.listen({ host: at, port })
    await once(probe, 'listening')
  })
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : port
}

/** What processes that start at once would otherwise wait for each other for: the schema and the secret. */
async function prepare(config: Config, log: Logger): Promise<void> {
  if (config.secretKey === undefined) await keptSecretKey(config.dataDir)
  const db = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: 1,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    statementTimeoutMs: config.databaseStatementTimeoutMs,
    report: (error) => log.error({ err: error }, 'background work failed'),
  })
  await db.close()
}
