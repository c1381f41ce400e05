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
  /** Number of jobs that may wait. One address may fill half of the queue, one account a quarter. */
  readonly queue: number
  /** A job that has waited this long is rejected. */
  readonly waitMs: number
}

export interface GateCounts {
  /** Jobs in progress. */
  readonly running: number
  readonly waiting: number
  /** Jobs rejected since the start. */
  readonly rejected: number
}

interface Job {
  /** Its address and its account, as far as known. The share of the last one applies. */
  readonly keys: readonly string[]
  readonly cost: number
  readonly begin: () => void
}

/** The jobs of an address or account; deleted when it has none. */
interface Usage {
  waiting: number
  running: number
  /** Units in progress. */
  held: number
  /** The turn in which its last job started. */
  servedAt: number
}

const QUEUE_PARTS = [2, 4] as const

/** 503: the server is busy with this kind of work. */
export const busy = (): AppError => new AppError('busy')

/**
 * Limits one kind of expensive work. Jobs start while there is capacity, in turns: between addresses first, then between the
 * accounts of an address, then by arrival. So neither many jobs of one account nor many accounts of one address delay others
 * by more than a turn.
 */
export class Gate {
  readonly #rules: GateRules
  readonly #queue: Job[] = []
  readonly #presences = new Map<string, Usage>()
  #used = 0
  #running = 0
  #rejected = 0
  #turn = 0

  constructor(rules: GateRules) {
    this.#rules = rules
  }

  get counts(): GateCounts {
    return { running: this.#running, waiting: this.#queue.length, rejected: this.#rejected }
  }

  /** Runs the work when it is its turn. Throws an `AppError` (503) if the queue is full. */
  async run<T>(requester: Requester, units: number, work: () => Promise<T>): Promise<T> {
    const leave = this.tryEnter(requester, units) ?? (await this.#waitFor(requester, units))
    try {
      if (requester.isGone?.() === true) throw busy()
      return await work()
    } finally {
      leave()
    }
  }

  /** Enters if the work may start immediately, and returns how to leave; for work with its own queue. */
  tryEnter(requester: Requester, units = 1): (() => void) | undefined {
    const job = this.#jobOf(requester, units, () => {})
    if (!this.#fits(job)) return undefined
    this.#start(job)
    return () => this.#end(job)
  }

  #waitFor(requester: Requester, units: number): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const rejectJob = (): void => {
        this.#rejected++
        reject(busy())
      }
      const job = this.#jobOf(requester, units, () => {
        clearTimeout(timer)
        resolve(() => this.#end(job))
      })
      const timer = setTimeout(() => {
        this.#dequeue(job)
        rejectJob()
      }, this.#rules.waitMs)
      if (this.#hasRoomFor(job)) return this.#enqueue(job)
      clearTimeout(timer)
      rejectJob()
    })
  }

  #jobOf({ address, account }: Requester, units: number, begin: () => void): Job {
    const keys = [
      ...(address === undefined ? [] : [`address ${address}`]),
      ...(account === undefined ? [] : [`account ${account}`]),
    ]
    // Work larger than the share runs as the only work of its requester.
    return { keys, cost: Math.min(units, this.#rules.share), begin }
  }

  #hasRoomFor({ keys }: Job): boolean {
    const { queue } = this.#rules
    const isWithin = (key: string, at: number): boolean =>
      (this.#presences.get(key)?.waiting ?? 0) < queue / (QUEUE_PARTS[at] ?? 1)
    return this.#queue.length < queue && keys.every(isWithin)
  }

  #fits({ keys, cost }: Job): boolean {
    const { capacity, share, addressShare = capacity } = this.#rules
    const heldBy = (key = ''): number => this.#presences.get(key)?.held ?? 0
    const isWithinShares = heldBy(keys.at(-1)) + cost <= share && heldBy(keys[0]) + cost <= addressShare
    return isWithinShares && this.#used + cost <= capacity
  }

  #enqueue(job: Job): void {
    this.#queue.push(job)
    for (const key of job.keys) this.#usageOf(key).waiting++
  }

  #dequeue(job: Job): void {
    this.#queue.splice(this.#queue.indexOf(job), 1)
    for (const key of job.keys) {
      this.#usageOf(key).waiting--
      this.#forgetIdle(key)
    }
  }

  #start({ keys, cost }: Job): void {
    this.#used += cost
    this.#running++
    this.#turn++
    for (const key of keys) {
      const presence = this.#usageOf(key)
      presence.running++
      presence.held += cost
      presence.servedAt = this.#turn
    }
  }

  #end({ keys, cost }: Job): void {
    this.#used -= cost
    this.#running--
    for (const key of keys) {
      const presence = this.#usageOf(key)
      presence.running--
      presence.held -= cost
      this.#forgetIdle(key)
    }
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      // Start before removing from the queue: a requester that is forgotten in between would lose its turn.
      this.#start(next)
      this.#dequeue(next)
      next.begin()
    }
  }

  /** The job whose address, and then whose account, has waited longest for its turn. */
  #next(): Job | undefined {
    let best: Job | undefined
    for (const job of this.#queue) if (this.#fits(job) && (!best || this.#isBefore(job, best))) best = job
    return best
  }

  #isBefore(job: Job, other: Job): boolean {
    for (const at of QUEUE_PARTS.keys()) {
      const difference = this.#servedAt(job.keys[at]) - this.#servedAt(other.keys[at])
      if (difference !== 0) return difference < 0
    }
    return false
  }

  #servedAt(key: string | undefined): number {
    return key === undefined ? 0 : (this.#presences.get(key)?.servedAt ?? 0)
  }

  #usageOf(key: string): Usage {
    const known = this.#presences.get(key)
    if (known !== undefined) return known
    const presence = { waiting: 0, running: 0, held: 0, servedAt: 0 }
    this.#presences.set(key, presence)
    return presence
  }

  #forgetIdle(key: string): void {
    const presence = this.#presences.get(key)
    if (presence?.waiting === 0 && presence.running === 0) this.#presences.delete(key)
  }
}
