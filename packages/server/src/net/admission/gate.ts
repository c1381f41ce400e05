import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '../errors.ts'

/** The requester that work is done for. Work of the server itself has none. */
export interface Requester {
  /** The authenticated account. */
  readonly account?: string | undefined
  /** The acting user, or the creator of the key: for records, not for shares. */
  readonly user?: string | undefined
  /** The address bucket: one IPv4 address or one IPv6 /64, behind trusted proxies. */
  readonly address?: string | undefined
  /** Whether its connection has ended: waiting work is then dropped. */
  readonly isGone?: (() => boolean) | undefined
}

const UNKNOWN_REQUESTER: Requester = {}
const requesters = new AsyncLocalStorage<Requester>()

/** Runs work on behalf of a requester: expensive work inside counts against its share. */
export const actingFor = <T>(requester: Requester, work: () => T): T => requesters.run(requester, work)

export const currentRequester = (): Requester => requesters.getStore() ?? UNKNOWN_REQUESTER

/** Limits for one kind of work: how much runs at once, and how much may wait. */
export interface GateRules {
  /** Units of work in progress: jobs, or pixels if memory is the limit. */
  readonly capacity: number
  /** Units that one requester may have in progress, so that there is room for others. */
  readonly share: number
  /** Units that all accounts of one address may have in progress together; unlimited by default. */
  readonly addressShare?: number
  /** Units that only quick work may use; none by default. */
  readonly reserved?: number
  /** Number of jobs that may wait. One address may fill half of the queue, one account a quarter. */
  readonly queue: number
  /** A job that has waited this long is rejected. */
  readonly waitMs: number
}

export interface JobOptions {
  /** Units of capacity that the work takes; one by default. */
  readonly units?: number
  /** Quick work may use the reserved units. */
  readonly isQuick?: boolean
}

export interface GateCounts {
  /** Jobs in progress. */
  readonly running: number
  readonly waiting: number
  /** Jobs rejected since the start. */
  readonly rejected: number
}

interface Job {
  /** Its address and its account, as far as known. */
  readonly keys: readonly string[]
  readonly units: number
  readonly isQuick: boolean
  readonly isGone: () => boolean
  readonly begin: () => void
  readonly drop: () => void
  /** How many jobs have passed it. */
  passed: number
}

/** The jobs of an address or account; deleted when it has none. */
interface Usage {
  waiting: number
  running: number
  /** Units in progress. */
  held: number
  /** Its place among those that wait: it goes to the end whenever one of its jobs starts. */
  place: number
}

const QUEUE_PARTS = [2, 4] as const

/** Work of the server itself: it takes turns like an account, but has no share. */
const SERVER = 'server'

/** Jobs that may pass one that needs more than the free capacity. */
const MOST_PASSED = 16

/** 503: the server is busy with this kind of work. */
export const busy = (): AppError => new AppError('busy')

/**
 * Schedules one kind of expensive work. While there is capacity, the accounts that wait start one job each in turn, and the
 * accounts of one address share its turns. So a job waits for at most one job of another account, however many that account
 * has, and large work should come as many small jobs. A job that needs more than the free capacity is passed by a few others.
 */
export class Gate {
  readonly #rules: GateRules
  /** In the order of arrival. */
  readonly #queue = new Set<Job>()
  readonly #usages = new Map<string, Usage>()
  #used = 0
  /** Units of work that is not quick. */
  #usedByLong = 0
  #running = 0
  #rejected = 0
  #places = 0

  constructor(rules: GateRules) {
    this.#rules = rules
  }

  get counts(): GateCounts {
    return { running: this.#running, waiting: this.#queue.size, rejected: this.#rejected }
  }

  /** Runs the work when it is its turn. Throws an `AppError` (503) if the queue is full. */
  async run<T>(requester: Requester, work: () => Promise<T>, options?: JobOptions): Promise<T> {
    if (requester.isGone?.() === true) throw this.#reject()
    const mayStart = this.#queue.size === 0
    const leave = (mayStart && this.tryEnter(requester, options)) || (await this.#waitFor(requester, options))
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** Enters if the work may start immediately, and returns how to leave; for work with its own queue. */
  tryEnter(requester: Requester, options?: JobOptions): (() => void) | undefined {
    const job = this.#jobOf(requester, options)
    if (!this.#fits(job)) return undefined
    this.#start(job)
    return () => this.#end(job)
  }

  #waitFor(requester: Requester, options: JobOptions | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const job = this.#jobOf(requester, options, {
        begin: () => {
          clearTimeout(timer)
          resolve(() => this.#end(job))
        },
        drop: () => {
          clearTimeout(timer)
          reject(this.#reject())
        },
      })
      const timer = setTimeout(() => this.#drop(job), this.#rules.waitMs)
      const hasRoom = this.#hasRoomFor(job)
      this.#enqueue(job)
      this.#startNext()
      if (!hasRoom && this.#queue.has(job)) this.#drop(job)
    })
  }

  #reject(): AppError {
    this.#rejected++
    return busy()
  }

  #jobOf(
    { address, account, isGone = () => false }: Requester,
    { units = 1, isQuick = false }: JobOptions = {},
    ends = { begin: () => {}, drop: () => {} },
  ): Job {
    const known = [
      ...(address === undefined ? [] : [`address ${address}`]),
      ...(account === undefined ? [] : [`account ${account}`]),
    ]
    // Work larger than the share runs as the only work of its requester.
    const cost = Math.min(units, this.#rules.share)
    return { keys: known.length === 0 ? [SERVER] : known, units: cost, isQuick, isGone, passed: 0, ...ends }
  }

  #hasRoomFor({ keys }: Job): boolean {
    const { queue } = this.#rules
    const isWithin = (key: string, at: number): boolean =>
      (this.#usages.get(key)?.waiting ?? 0) < queue / (QUEUE_PARTS[at] ?? 1)
    const hasRoom = (): boolean => this.#queue.size < queue && keys.every(isWithin)
    if (hasRoom()) return true
    this.#dropGone()
    return hasRoom()
  }

  #fits(job: Job): boolean {
    return this.#isWithinShares(job) && this.#hasCapacity(job)
  }

  #hasCapacity({ units, isQuick }: Job): boolean {
    const { capacity, reserved = 0 } = this.#rules
    return this.#used + units <= capacity && (isQuick || this.#usedByLong + units <= capacity - reserved)
  }

  #isWithinShares({ keys, units }: Job): boolean {
    const { capacity, share, addressShare = capacity } = this.#rules
    const isWithin = (key: string | undefined, limit: number): boolean =>
      key === undefined || key === SERVER || (this.#usages.get(key)?.held ?? 0) + units <= limit
    return isWithin(keys.at(-1), share) && isWithin(keys[0], addressShare)
  }

  #enqueue(job: Job): void {
    this.#queue.add(job)
    for (const key of job.keys) {
      const usage = this.#usageOf(key)
      if (usage.waiting++ === 0) usage.place = ++this.#places
    }
  }

  #dequeue(job: Job): void {
    this.#queue.delete(job)
    for (const key of job.keys) {
      this.#usageOf(key).waiting--
      this.#forgetIdle(key)
    }
  }

  #drop(job: Job): void {
    this.#dequeue(job)
    job.drop()
  }

  #dropGone(): void {
    for (const job of this.#queue) if (job.isGone()) this.#drop(job)
  }

  #start(job: Job): void {
    const { keys, units, isQuick } = job
    this.#places++
    this.#used += units
    if (!isQuick) this.#usedByLong += units
    this.#running++
    for (const key of keys) {
      const usage = this.#usageOf(key)
      usage.running++
      usage.held += units
      usage.place = this.#places
    }
  }

  #end({ keys, units, isQuick }: Job): void {
    this.#used -= units
    if (!isQuick) this.#usedByLong -= units
    this.#running--
    for (const key of keys) {
      const usage = this.#usageOf(key)
      usage.running--
      usage.held -= units
      this.#forgetIdle(key)
    }
    this.#startNext()
  }

  #startNext(): void {
    this.#dropGone()
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      // Start before removing from the queue: a requester that is forgotten in between would lose its turn.
      this.#start(next)
      this.#dequeue(next)
      next.begin()
    }
  }

  /** The first job that may start. */
  #next(): Job | undefined {
    const first = this.#first((job) => this.#isWithinShares(job))
    if (first === undefined || this.#hasCapacity(first)) return first
    const mayPass = first.passed < MOST_PASSED
    const next = this.#first((job) => (mayPass || job.isQuick) && this.#fits(job))
    if (next !== undefined) first.passed++
    return next
  }

  #first(isMeant: (job: Job) => boolean): Job | undefined {
    let first: Job | undefined
    for (const job of this.#queue)
      if (isMeant(job) && (first === undefined || this.#isBefore(job, first))) first = job
    return first
  }

  #isBefore({ keys }: Job, other: Job): boolean {
    const [place, otherPlace] = [this.#placeOf(keys), this.#placeOf(other.keys)]
    if (place !== otherPlace) return place < otherPlace
    // Accounts of one address.
    return this.#placeOf(keys.slice(-1)) < this.#placeOf(other.keys.slice(-1))
  }

  /** The later one of its address and its account: neither many accounts nor many addresses give more turns. */
  #placeOf(keys: readonly string[]): number {
    return Math.max(...keys.map((key) => this.#usageOf(key).place))
  }

  #usageOf(key: string): Usage {
    const known = this.#usages.get(key)
    if (known !== undefined) return known
    const usage = { waiting: 0, running: 0, held: 0, place: 0 }
    this.#usages.set(key, usage)
    return usage
  }

  #forgetIdle(key: string): void {
    const usage = this.#usages.get(key)
    if (usage?.waiting === 0 && usage.running === 0) this.#usages.delete(key)
  }
}
