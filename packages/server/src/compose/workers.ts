import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Logger, pino } from 'pino'
import { warnOfSent } from '../clicks/clickhouse/sent-periods.ts'
import type { Config } from '../config.ts'
import { workerChannel } from '../net/bus/channel.ts'
import { serveWorkers } from '../net/bus/cluster.ts'
import { WindowCounters } from '../net/limits/limits.ts'
import { openDatabase } from '../storage/db/open.ts'
import { storedSecretKey } from '../storage/secrets.ts'
import { onStopRequest } from '../work/stop-request.ts'
import { announce, onFirstHost } from './listen-host.ts'

/** Runs several processes on one port. This process counts clicks for all of them, and replaces those that die. */
export async function runPrimary(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel })
  const port = await freePort(config)
  await prepare(config, log)
  const counters = new WindowCounters()
  serveWorkers((key, cost, windowMs) => counters.add(key, Date.now(), cost, windowMs))
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.ts', import.meta.url)), args: [] })
  const pool = new WorkerPool(config.workers, { PORT: String(port) }, log)
  onStopRequest(() => pool.stop())
  await pool.start()
  await announce(config, `${config.workers} processes, `)
}

/** Sockets that share a port do not detect other instances, so this check runs before they are opened. */
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

/** Creates the schema and the secret, so that workers that start together need not wait for each other. */
async function prepare(config: Config, log: Logger): Promise<void> {
  if (config.secretKey === undefined) await storedSecretKey(config.dataDir)
  const db = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: 1,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    statementTimeoutMs: config.databaseStatementTimeoutMs,
    report: (error) => log.error({ err: error }, 'background work failed'),
  })
  await warnOfSent(db, config, log)
  await db.close()
}

/** A little longer than a worker takes to close open connections. */
const STOP_MS = 9_700
const RESTART_MS = 100
const RESTART_MAX_MS = 5_000
/** A crash after this time counts as a new one: the next worker starts without delay. */
const HEALTHY_MS = 30_000

/** The worker processes: started, replaced when they end, and stopped together. */
export class WorkerPool {
  readonly #size: number
  readonly #env: Record<string, string>
  readonly #log: Logger
  readonly #workers = new Set<Worker>()
  #restartMs = RESTART_MS
  #started = false
  #stopping = false
  #failed = false

  constructor(size: number, env: Record<string, string>, log: Logger) {
    this.#size = size
    this.#env = env
    this.#log = log
  }

  /** Starts one worker first, so that a failed start is reported once and ends the process. */
  async start(): Promise<void> {
    await listening(this.#fork())
    this.#started = true
    const others = Array.from({ length: this.#size - 1 }, () => listening(this.#fork()))
    await Promise.all(others)
  }

  stop(): void {
    if (this.#stopping) return
    this.#stopping = true
    this.#signal('SIGTERM')
    setTimeout(() => {
      this.#failed = true
      this.#signal('SIGKILL')
    }, STOP_MS).unref()
    this.#endWithLast()
  }

  #fork(): Worker {
    const worker = cluster.fork(this.#env)
    const startedAt = performance.now()
    this.#workers.add(worker)
    worker.once('exit', (code: number, signal: string | null) => {
      this.#workers.delete(worker)
      if (this.#stopping) this.#ended(code)
      else if (!this.#started) process.exit(code === 0 ? 1 : code)
      else void this.#replace(worker.process.pid, performance.now() - startedAt, signal ?? code)
    })
    return worker
  }

  async #replace(pid: number | undefined, livedMs: number, cause: number | string): Promise<void> {
    this.#restartMs = livedMs > HEALTHY_MS ? RESTART_MS : Math.min(this.#restartMs * 2, RESTART_MAX_MS)
    this.#log.error({ worker: pid, cause, restartMs: this.#restartMs }, 'a worker ended and is replaced')
    await delay(this.#restartMs)
    if (!this.#stopping) this.#fork()
  }

  #ended(code: number | null): void {
    if (code !== 0 && code !== null) this.#failed = true
    this.#endWithLast()
  }

  #endWithLast(): void {
    if (this.#workers.size === 0) process.exit(this.#failed ? 1 : 0)
  }

  #signal(signal: NodeJS.Signals): void {
    for (const worker of this.#workers) worker.process.kill(signal)
  }
}

/** Resolves when the worker listens or has exited. */
async function listening(worker: Worker): Promise<void> {
  await new Promise<void>((resolve) => {
    workerChannel(worker).listen((note) => {
      if (note.kind === 'ready') resolve()
    })
    worker.once('exit', () => resolve())
  })
}
