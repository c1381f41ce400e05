import type { Target } from './decide.ts'
import type { Lookup, TargetFound } from './lookup.ts'
import { cacheKey } from './target-cache.ts'
import type { TargetCache } from './target-cache.ts'

/** A visitor waits this long for a database that does not answer, if there is something old to answer with. */
const PATIENCE_MS = 500

interface Flight {
  waiting: TargetFound[]
  impatient: NodeJS.Timeout | undefined
  late: boolean
  /** The target changed while it was being read: what was read may still be answered, but not kept. */
  changed: boolean
}

export interface FinderCounts {
  hits: number
  lookups: number
  faults: number
  /** Answered from what had died in the cache, because the database was away. */
  stale: number
}

/** Cache in front, database behind, and never two look-ups of one code at once. */
export class TargetFinder {
  readonly counts: FinderCounts = { hits: 0, lookups: 0, faults: 0, stale: 0 }
  readonly #cache: TargetCache
  readonly #lookup: Lookup
  readonly #patienceMs: number
  readonly #flights = new Map<string, Flight>()

  constructor(cache: TargetCache, lookup: Lookup, patienceMs: number = PATIENCE_MS) {
    this.#patienceMs = patienceMs
    this.#cache = cache
    this.#lookup = lookup
  }

  /** What the cache knows; `undefined` when the database has to be asked. */
  known(domain: string, shortCode: string): Target | null | undefined {
    const target = this.#cache.get(cacheKey(domain, shortCode))
    if (target !== undefined) this.counts.hits++
    return target
  }

  ask(domain: string, piece: string, done: TargetFound): void {
    const shortCode = ownText(piece)
    const key = cacheKey(domain, shortCode)
    const under = this.#flights.get(key)
    if (under !== undefined) {
      under.waiting.push(done)
      if (under.late) this.#answerStale(key, under)
      return
    }
    const flight: Flight = { waiting: [done], impatient: undefined, late: false, changed: false }
    this.#flights.set(key, flight)
    this.counts.lookups++
    let landed = false
    this.#lookup.find(domain, shortCode, (error, target) => {
      landed = true
      this.#land(key, flight, error, target)
    })
    // SQLite has answered by now.
    if (!landed && this.#cache.stale(key) !== undefined)
      flight.impatient = setTimeout(() => {
        flight.late = true
        this.#answerStale(key, flight)
      }, this.#patienceMs)
  }

  find(domain: string, shortCode: string): Promise<Target | null> {
    const known = this.known(domain, shortCode)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve, reject) => {
      this.ask(domain, shortCode, (error, target) => {
        if (error === null) resolve(target)
        else reject(error)
      })
    })
  }

  /** A link was made, changed or removed: nothing read before this moment may be kept. */
  forget(domain: string, shortCode: string): void {
    const key = cacheKey(domain, shortCode)
    this.#cache.forget(key)
    this.#leaveBehind(key, this.#flights.get(key))
  }

  /** Messages may have been missed, or a whole account is gone. */
  forgetAll(): void {
    this.#cache.clear()
    for (const [key, flight] of this.#flights) this.#leaveBehind(key, flight)
  }

  /** Whoever asks from now on must not be given what a look-up that began earlier will bring. */
  #leaveBehind(key: string, flight: Flight | undefined): void {
    if (flight === undefined) return
    flight.changed = true
    this.#flights.delete(key)
  }

  #land(key: string, flight: Flight, error: unknown, target: Target | null): void {
    clearTimeout(flight.impatient)
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
    if (error === null) {
      if (!flight.changed) this.#cache.set(key, target)
    } else {
      this.counts.faults++
      if (this.#answerStale(key, flight)) return
    }
    for (const done of flight.waiting) done(error, target)
  }

  /** While the database is away nothing can have changed that this process would not have heard of. */
  #answerStale(key: string, flight: Flight): boolean {
    const target = flight.changed ? undefined : this.#cache.stale(key)
    if (target === undefined) return false
    const { waiting } = flight
    flight.waiting = []
    this.counts.stale += waiting.length
    for (const done of waiting) done(null, target)
    return true
  }
}

/**
 * A copy of the text. A short code is cut out of the text of a whole request, which V8 keeps in memory as long as the
 * piece: without a copy, requests for unknown codes could fill memory through the keys of the cache.
 */
function ownText(piece: string): string {
  return Buffer.from(piece, 'latin1').toString('latin1')
}
