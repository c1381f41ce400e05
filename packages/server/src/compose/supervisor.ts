import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import { type Channel, channelPair, childChannel } from '../net/bus/channel.ts'
import { Broker } from '../net/bus/cluster.ts'
import { WindowCounters } from '../net/limits/limits.ts'
import { onStopRequest } from '../work/stop-request.ts'
import { argumentOf, type Half } from './half.ts'
import { announce, onFirstHost } from './listen-host.ts'
import { serveVisitors } from './serve-visitors.ts'

/**
 * Starts the service, and watches it. With `WORKERS=1` this process is the visitors' half, and starts the API process; with
 * more it serves no requests, and starts as many of each.
 */
export async function supervise(config: Config, sockets: string): Promise<void> {
  const log = pino({ level: config.logLevel })
  // This process alone warns, not those that it starts.
  for (const line of config.doubtful) log.warn(line)
  const supervisor = new Supervisor(config, sockets, log)
  // Registered first: after a request to stop during the start, everything is closed.
  onStopRequest(() => void supervisor.stop())
  await supervisor.start()
  if (supervisor.isStopping) return
  const processes = config.workers === 1 ? '' : `${config.workers} pairs of processes, `
  await announce(config, processes, supervisor.notices)
}

const RESTART_MS = 100
const RESTART_MAX_MS = 5_000
/** Of the ten seconds of a stop, which processes that hang do not get. */
const STOP_MS = 9_700

/** A start that fails prints its reason as JSON. */
const JSON_FLAG = process.argv.filter((word) => word === '--json')

/** A visitors' process and its API process. */
interface Pair {
  readonly index: number
  visitors: Child | undefined
  api: Child | undefined
  spool: string
  restartMs: number
}

/** A process, or the visitors' half in this one. */
interface Child {
  readonly channel: Channel
  /** Undefined for this process. */
  readonly process: ChildProcess | undefined
  /** Whether it served before it ended. */
  readonly ready: Promise<boolean>
  readonly ended: Promise<number>
}

class Supervisor {
  readonly #config: Config
  readonly #sockets: string
  readonly #log: Logger
  readonly #broker: Broker
  readonly #pairs: Pair[]
  readonly #env: Record<string, string> = {}
  /** Lines for the operator. */
  readonly notices: string[] = []
  #isOpened = false
  #isStarted = false
  #stopping: Promise<void> | undefined

  constructor(config: Config, sockets: string, log: Logger) {
    this.#config = config
    this.#sockets = sockets
    this.#log = log
    const counters = new WindowCounters()
    this.#broker = new Broker((key, cost, windowMs) => counters.add(key, Date.now(), cost, windowMs))
    this.#pairs = Array.from({ length: config.workers }, (_, index) => ({
      index,
      visitors: undefined,
      api: undefined,
      spool: randomUUID(),
      restartMs: RESTART_MS,
    }))
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined
  }

  /** Resolves when everything serves. A process that ends before it does ends this one with its code. */
  async start(): Promise<void> {
    const [first, ...others] = this.#pairs
    if (first === undefined) throw new Error('There is no pair')
    if (this.#config.workers > 1) this.#env['PORT'] = String(await freePort(this.#config))
    await this.#startPair(first)
    await Promise.all(others.map((pair) => this.#startPair(pair)))
    this.#isStarted = true
  }

  /** Stops accepting, finishes the requests in flight, and counts the last clicks. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stopAll())
  }

  async #stopAll(): Promise<void> {
    setTimeout(() => {
      for (const { visitors, api } of this.#pairs) {
        visitors?.process?.kill('SIGKILL')
        api?.process?.kill('SIGKILL')
      }
      process.exit(1)
    }, STOP_MS).unref()
    const codes = await Promise.all(this.#pairs.map((pair) => this.#stopPair(pair)))
    process.exit(codes.every((code) => code === 0) ? 0 : 1)
  }

  /** The API process last: it counts the clicks of both. */
  async #stopPair({ visitors, api }: Pair): Promise<number> {
    visitors?.channel.send({ kind: 'stop' })
    const first = (await visitors?.ended) ?? 0
    api?.channel.send({ kind: 'stop' })
    const second = (await api?.ended) ?? 0
    return first || second
  }

  async #startPair(pair: Pair): Promise<void> {
    pair.spool = randomUUID()
    const api = this.#startApi(pair)
    pair.api = api
    // Others serve meanwhile: requests for the API would wait in vain with a pair that is still starting.
    if (this.#pairs.length > 1 && !(await api.ready)) return this.#tryAgain(pair, api)
    if (this.isStopping) return
    pair.visitors = this.#startVisitors(pair)
    await Promise.all([api.ready, pair.visitors.ready])
  }

  async #tryAgain(pair: Pair, api: Child): Promise<void> {
    const code = await api.ended
    if (this.isStopping) return
    if (!this.#isStarted) process.exit(code || 1)
    this.#again(pair, 'API', api, code, () => void this.#startPair(pair))
  }

  #half(pair: Pair, kind: Half['kind']): Half {
    const socketPath = join(this.#sockets, `${pair.index}`)
    const isChild = kind === 'api' || this.#config.workers > 1
    return { kind, pair: pair.index, isChild, socketPath, spool: pair.spool, isOpened: this.#isOpened }
  }

  #startApi(pair: Pair): Child {
    const { apiHeapMb } = this.#config
    const limits = apiHeapMb === undefined ? [] : [`--max-old-space-size=${apiHeapMb}`]
    const child = this.#fork(this.#half(pair, 'api'), limits)
    child.channel.listen((note) => {
      if (note.kind === 'notice') this.notices.push(note.line)
      if (note.kind === 'opened') this.#opened()
      if (note.kind === 'ready') pair.visitors?.channel.send({ kind: 'api up' })
    })
    void child.ended.then((code) => {
      if (pair.api !== child) return
      pair.api = undefined
      pair.visitors?.channel.send({ kind: 'api down' })
      // The visitors' processes wait for a database that is not opened.
      if (!this.#isOpened) process.exit(this.isStopping ? code : code || 1)
      // If the visitors' process has ended, both are started again.
      if (pair.visitors === undefined || this.isStopping) return
      if (!this.#isStarted) process.exit(code || 1)
      this.#again(pair, 'API', child, code, () => {
        if (pair.visitors !== undefined) pair.api = this.#startApi(pair)
      })
    })
    return child
  }

  #startVisitors(pair: Pair): Child {
    const half = this.#half(pair, 'visitors')
    const child = this.#config.workers === 1 ? this.#serveHere(half) : this.#fork(half)
    void child.ready.then(() => {
      if (pair.api !== undefined)
        void pair.api.ready.then((isReady) => isReady && child.channel.send({ kind: 'api up' }))
    })
    void child.ended.then((code) => {
      if (pair.visitors !== child) return
      pair.visitors = undefined
      if (this.isStopping) return
      if (!this.#isStarted) process.exit(code || 1)
      // Its clicks are counted by the next process; the new pair has a spool of its own.
      pair.api?.process?.kill('SIGKILL')
      this.#again(pair, "visitors'", child, code, () => void this.#startPair(pair))
    })
    return child
  }

  /** One that cannot start is tried less and less often. */
  #again(pair: Pair, name: string, { ready }: Child, code: number, start: () => void): void {
    void ready.then((hasServed) => {
      pair.restartMs = hasServed ? RESTART_MS : Math.min(pair.restartMs * 2, RESTART_MAX_MS)
      this.#log.error(
        { pair: pair.index, code, restartMs: pair.restartMs },
        `the ${name} process ended and is replaced`,
      )
      setTimeout(() => {
        if (!this.isStopping) start()
      }, pair.restartMs)
    })
  }

  #opened(): void {
    this.#isOpened = true
    for (const { visitors } of this.#pairs) visitors?.channel.send({ kind: 'opened' })
  }

  #fork(half: Half, flags: readonly string[] = []): Child {
    const child = fork(
      fileURLToPath(new URL('../main.ts', import.meta.url)),
      [argumentOf(half), ...JSON_FLAG],
      {
        execArgv: [...process.execArgv, ...flags],
        env: { ...process.env, ...this.#env },
      },
    )
    const channel = childChannel(child)
    const detach = this.#broker.attach(channel)
    const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
      detach()
      return typeof code === 'number' ? code : signal === null ? 0 : 1
    })
    return { channel, process: child, ended, ready: isReady(channel, ended) }
  }

  #serveHere(half: Half): Child {
    const [channel, own] = channelPair()
    this.#broker.attach(channel)
    const ended = new Promise<number>((resolve) => {
      channel.listen((note) => {
        if (note.kind === 'stopped') resolve(note.code)
      })
    })
    const ready = isReady(channel, ended)
    const failed = serveVisitors(this.#config, half, own).then(() => new Promise<never>(() => undefined))
    return { channel, process: undefined, ended, ready: Promise.race([ready, failed]) }
  }
}

/** Resolves when a process serves; to false if it has ended before. */
const isReady = (channel: Channel, ended: Promise<number>): Promise<boolean> =>
  new Promise((resolve) => {
    channel.listen((note) => {
      if (note.kind === 'ready') resolve(true)
    })
    void ended.then(() => resolve(false))
  })

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
