import type { Target } from './decide.ts'
import type { Lookup, TargetFound } from './lookup.ts'
import { cacheKey } from './target-cache.ts'
import type { TargetCache } from './target-cache.ts'

interface Flight {
  readonly waiting: TargetFound[]
  /** The target changed while it was being read: what was read may still be answered, but not kept. */
  changed: boolean
}

export interface FinderCounts {
  hits: number
  lookups: number
  faults: number
}

/** Cache in front, database behind, and never two look-ups of one code at once. */
export class TargetFinder {
  readonly counts: FinderCounts = { hits: 0, lookups: 0, faults: 0 }
  readonly #cache: TargetCache
  readonly #lookup: Lookup
  readonly #flights = new Map<string, Flight>()

  constructor(cache: TargetCache, lookup: Lookup) {
    this.#cache = cache
    this.#lookup = lookup
  }

  /** What the cache knows; `undefined` when the database has to be asked. */
  known(domain: string, code: string): Target | null | undefined {
    const target = this.#cache.get(cacheKey(domain, code))
    if (target !== undefined) this.counts.hits++
    return target
  }

  ask(domain: string, code: string, done: TargetFound): void {
    const key = cacheKey(domain, code)
    const under = this.#flights.get(key)
    if (under !== undefined) {
      under.waiting.push(done)
      return
    }
    const flight: Flight = { waiting: [done], changed: false }
    this.#flights.set(key, flight)
    this.counts.lookups++
    this.#lookup.find(domain, code, (error, target) => this.#land(key, flight, error, target))
  }

  find(domain: string, code: string): Promise<Target | null> {
    const known = this.known(domain, code)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve, reject) => {
      this.ask(domain, code, (error, target) => {
        if (error === null) resolve(target)
        else reject(error)
      })
    })
  }

  /** A link was made, changed or removed: nothing read before this moment may be kept. */
  forget(domain: string, code: string): void {
    const key = cacheKey(domain, code)
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
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
    if (error !== null) this.counts.faults++
    else if (!flight.changed) this.#cache.set(key, target)
    for (const done of flight.waiting) done(error, target)
  }
}
