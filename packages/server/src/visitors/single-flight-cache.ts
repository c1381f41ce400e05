/** Called with the value; if reading failed, with the error and the absent value. */
type Answered<V> = (error: unknown, value: V) => void

export interface SingleFlightOptions<V> {
  readonly found: CacheLimits
  readonly missing: CacheLimits
  /** The value, compared by identity, that means a key has no value. */
  readonly absent: V
  readonly bytesOf: (value: V) => number
  /** Monotonic. */
  readonly clock?: () => number
  /** How long a caller waits for a database that does not respond if an expired value can be served instead. */
  readonly timeoutMs?: number
}

interface SingleFlightCounts {
  hits: number
  lookups: number
  faults: number
  /** Served from expired entries because the database was unavailable. */
  stale: number
}

interface Flight<V> {
  waiting: Answered<V>[]
  impatient: NodeJS.Timeout | undefined
  late: boolean
  /** Whether the value changed while it was being read: it can still be returned, but not cached. */
  changed: 'no' | 'perhaps' | 'yes'
}

const TIMEOUT_MS = 500
/** Map slot, key and entry of a missing key, measured as heap growth per entry. */
const MISSING_BYTES = 120

/**
 * A bounded cache that never reads one key twice at the same time. Keys with and without a value are stored separately, so
 * that a scan of random keys evicts only other misses. While the database is unavailable, expired values are still served;
 * `forget` removes them immediately.
 */
export class SingleFlightCache<V> {
  readonly counts: SingleFlightCounts = { hits: 0, lookups: 0, faults: 0, stale: 0 }
  readonly #absent: V
  readonly #timeoutMs: number
  readonly #found: BoundedCache<V>
  readonly #missing: BoundedCache<V>
  readonly #flights = new Map<string, Flight<V>>()

  constructor(options: SingleFlightOptions<V>) {
    const { found, missing, absent, bytesOf, clock = () => performance.now() } = options
    this.#absent = absent
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#found = new BoundedCache(found, bytesOf, clock)
    this.#missing = new BoundedCache(missing, () => MISSING_BYTES, clock)
  }

  /** The cached value; `undefined` if it has to be read. */
  known(key: string): V | undefined {
    const value = this.#found.get(key) ?? this.#missing.get(key)
    if (value !== undefined) this.counts.hits++
    return value
  }

  /** Reads a key that is not cached, or joins a running read. */
  ask(key: string, read: (done: Answered<V>) => void, done: Answered<V>): void {
    const under = this.#flights.get(key)
    if (under !== undefined) {
      under.waiting.push(done)
      if (under.late) this.#answerStale(key, under)
      return
    }
    const flight: Flight<V> = { waiting: [done], impatient: undefined, late: false, changed: 'no' }
    this.counts.lookups++
    let landed = false
    read((error, value) => {
      landed = true
      this.#land(key, flight, error, value)
    })
    // SQLite has called back by now, and no other request could have joined.
    if (landed) return
    this.#flights.set(key, flight)
    if (this.#found.stale(key) !== undefined)
      flight.impatient = setTimeout(() => {
        flight.late = true
        this.#answerStale(key, flight)
      }, this.#timeoutMs)
  }

  /** Like `ask`, as a promise. */
  find(key: string, read: (done: Answered<V>) => void): Promise<V> {
    const known = this.known(key)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve, reject) => {
      this.ask(key, read, (error, value) => {
        if (error === null) resolve(value)
        else reject(error)
      })
    })
  }

  /** The value was created, changed or deleted: nothing read before this moment may be cached. */
  forget(key: string): void {
    this.#found.delete(key)
    this.#missing.delete(key)
    this.#leaveBehind(key, 'yes')
  }

  /** A whole account was deleted, or a change was committed without a message to this process. */
  forgetAll(): void {
    this.#found.clear()
    this.#missing.clear()
    for (const key of this.#flights.keys()) this.#leaveBehind(key, 'yes')
  }

  /** Changes of other nodes may have been missed: every value is read again, and served if reading fails. */
  expireAll(): void {
    this.#found.expireAll()
    this.#missing.expireAll()
    for (const key of this.#flights.keys()) this.#leaveBehind(key, 'perhaps')
  }

  get size(): { found: number; missing: number; bytes: number } {
    return {
      found: this.#found.entries,
      missing: this.#missing.entries,
      bytes: this.#found.bytes + this.#missing.bytes,
    }
  }

  /** Later callers must not get the result of a read that started before the change. */
  #leaveBehind(key: string, changed: 'perhaps' | 'yes'): void {
    const flight = this.#flights.get(key)
    if (flight === undefined) return
    flight.changed = changed
    this.#flights.delete(key)
  }

  #store(key: string, value: V): void {
    const [into, other] = value === this.#absent ? [this.#missing, this.#found] : [this.#found, this.#missing]
    other.delete(key)
    into.set(key, value)
  }

  #land(key: string, flight: Flight<V>, error: unknown, value: V): void {
    if (flight.impatient !== undefined) clearTimeout(flight.impatient)
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
    if (error === null) {
      if (flight.changed === 'no') this.#store(key, value)
    } else {
      this.counts.faults++
      if (this.#answerStale(key, flight)) return
    }
    for (const done of flight.waiting) done(error, error === null ? value : this.#absent)
  }

  /** While the database is unavailable, an old value is better than none, unless it has certainly changed. */
  #answerStale(key: string, flight: Flight<V>): boolean {
    const value = flight.changed === 'yes' ? undefined : this.#found.stale(key)
    if (value === undefined) return false
    const { waiting } = flight
    flight.waiting = []
    this.counts.stale += waiting.length
    for (const done of waiting) done(null, value)
    return true
  }
}

/** The key of a short code or slug under a domain. Neither contains a slash, so keys are unambiguous. */
export const cacheKey = (domain: string, name: string): string => (domain === '' ? name : `${domain}/${name}`)

interface CacheLimits {
  readonly maxEntries: number
  readonly maxBytes: number
  readonly ttlMs: number
}

interface Entry<V> {
  readonly value: V
  readonly bytes: number
  readonly diesAtMs: number
  readonly generation: number
}

/**
 * A bounded cache with two generations: entries that are read stay in the young one, and entries that were not read while a
 * whole generation filled up are dropped with the old one. Unlike in an LRU list, a hit in the young generation moves
 * nothing. Reading an entry never extends its lifetime.
 */
export class BoundedCache<V> {
  readonly #limits: CacheLimits
  readonly #sizeOf: (value: V) => number
  readonly #clock: () => number
  #young = new Map<string, Entry<V>>()
  #old = new Map<string, Entry<V>>()
  #youngBytes = 0
  #oldBytes = 0
  /** Entries of an earlier generation have expired, whatever their time. */
  #generation = 0

  /** `clock` must be monotonic: a wall clock that jumps back would extend lifetimes. */
  constructor(limits: CacheLimits, sizeOf: (value: V) => number, clock: () => number) {
    this.#limits = limits
    this.#sizeOf = sizeOf
    this.#clock = clock
  }

  get(key: string): V | undefined {
    const entry = this.#young.get(key) ?? this.#promote(key)
    if (entry === undefined || entry.generation !== this.#generation) return undefined
    return entry.diesAtMs > this.#clock() ? entry.value : undefined
  }

  /** Returns expired entries, too, unless they were evicted: for when the database does not respond. */
  stale(key: string): V | undefined {
    return (this.#young.get(key) ?? this.#old.get(key))?.value
  }

  set(key: string, value: V): void {
    this.delete(key)
    const bytes = key.length + this.#sizeOf(value)
    if (bytes > this.#limits.maxBytes / 2) return
    const diesAtMs = this.#clock() + this.#limits.ttlMs
    this.#admit(key, { value, bytes, diesAtMs, generation: this.#generation })
  }

  delete(key: string): void {
    const young = this.#young.get(key)
    if (young !== undefined) {
      this.#young.delete(key)
      this.#youngBytes -= young.bytes
    }
    const old = this.#old.get(key)
    if (old !== undefined) {
      this.#old.delete(key)
      this.#oldBytes -= old.bytes
    }
  }

  /** Expires every entry; until it is read again, `stale` still returns it. */
  expireAll(): void {
    this.#generation++
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
    this.#youngBytes = 0
    this.#oldBytes = 0
  }

  get entries(): number {
    return this.#young.size + this.#old.size
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes
  }

  #promote(key: string): Entry<V> | undefined {
    const entry = this.#old.get(key)
    if (entry === undefined) return undefined
    this.#old.delete(key)
    this.#oldBytes -= entry.bytes
    this.#admit(key, entry)
    return entry
  }

  #admit(key: string, entry: Entry<V>): void {
    const { maxEntries, maxBytes } = this.#limits
    if (this.#young.size + 1 > maxEntries / 2 || this.#youngBytes + entry.bytes > maxBytes / 2) {
      this.#old = this.#young
      this.#oldBytes = this.#youngBytes
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(key, entry)
    this.#youngBytes += entry.bytes
  }
}
