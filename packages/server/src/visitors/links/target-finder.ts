import type { StoredPreview } from '../../storage/db/tables.ts'
import { cacheKey, SingleFlightCache, type SingleFlightOptions } from '../single-flight-cache.ts'
import type { Target } from './decide.ts'
import type { Lookup, TargetFound } from './lookup.ts'
import { readLongerPath, type ShortCodePath } from './target-path.ts'

export type FinderOptions = Partial<
  Pick<SingleFlightOptions<Target | null>, 'found' | 'missing' | 'clock' | 'timeoutMs'>
> & {
  /** Whether the short codes of a domain are stored in lower case. */
  readonly ignoresCase?: (domain: string) => boolean
  /** Whether a domain has, or had, short codes of several segments. */
  readonly hasLongerCodes?: (domain: string) => boolean
}

/** Called with a target, and whether it is that of the longer code. */
type EitherFound = (error: unknown, target: Target | null, isLonger: boolean) => void

const FOUND = { maxEntries: 32_000, maxBytes: 16 * 1024 * 1024, ttlMs: 60_000 }
/** Short enough that a new link of another process is found within a second even if no message arrives. */
const MISSING = { maxEntries: 20_000, maxBytes: 4 * 1024 * 1024, ttlMs: 900 }

/** Of longer codes: smaller, because any path below a short link is looked up as one. */
const LONGER_FOUND = { maxEntries: 8_000, maxBytes: 4 * 1024 * 1024, ttlMs: 60_000 }
const LONGER_MISSING = { maxEntries: 4_000, maxBytes: 1024 * 1024, ttlMs: 900 }

/** Map slot, key header, entry and target objects: measured as heap growth per entry, without the text. */
const ENTRY_OVERHEAD_BYTES = 320
const EXTRAS_BYTES = 64
const PREVIEW_BYTES = 300

/** Finds the target of a short code: in memory, else in the database. */
export class TargetFinder {
  readonly #short: SingleFlightCache<Target | null>
  readonly #longer: SingleFlightCache<Target | null>
  readonly #lookup: Lookup
  readonly #ignoresCase: (domain: string) => boolean
  readonly #hasLongerCodes: (domain: string) => boolean

  constructor(lookup: Lookup, options: FinderOptions = {}) {
    const { ignoresCase = () => false, hasLongerCodes = () => false, ...limits } = options
    this.#lookup = lookup
    this.#ignoresCase = ignoresCase
    this.#hasLongerCodes = hasLongerCodes
    const shared = { absent: null, bytesOf: targetBytes }
    this.#short = new SingleFlightCache<Target | null>({
      ...shared,
      found: FOUND,
      missing: MISSING,
      ...limits,
    })
    this.#longer = new SingleFlightCache<Target | null>({
      ...shared,
      found: LONGER_FOUND,
      missing: LONGER_MISSING,
      ...limits,
    })
  }

  get counts() {
    const [short, longer] = [this.#short.counts, this.#longer.counts]
    return {
      hits: short.hits + longer.hits,
      lookups: short.lookups + longer.lookups,
      faults: short.faults + longer.faults,
      stale: short.stale + longer.stale,
    }
  }

  get size() {
    const [short, longer] = [this.#short.size, this.#longer.size]
    return {
      found: short.found + longer.found,
      missing: short.missing + longer.missing,
      bytes: short.bytes + longer.bytes,
    }
  }

  /** The cached target; `undefined` if the database has to be queried, `null` if there is no such link. */
  known(domain: string, shortCode: string): Target | null | undefined {
    return this.#cacheOf(shortCode).known(cacheKey(domain, this.#spelled(domain, shortCode)))
  }

  ask(domain: string, piece: string, done: TargetFound): void {
    const shortCode = ownText(this.#spelled(domain, piece))
    const read = (found: TargetFound): void => this.#lookup.find(domain, shortCode, found)
    this.#cacheOf(shortCode).ask(cacheKey(domain, shortCode), read, done)
  }

  find(domain: string, piece: string): Promise<Target | null> {
    const shortCode = ownText(this.#spelled(domain, piece))
    const read = (found: TargetFound): void => this.#lookup.find(domain, shortCode, found)
    return this.#cacheOf(shortCode).find(cacheKey(domain, shortCode), read)
  }

  /** The path as one longer code; null on a domain without any, and for a path that cannot be one. */
  longerAt(domain: string, path: Pick<ShortCodePath, 'shortCode' | 'rest'>): ShortCodePath | null {
    return path.rest !== '' && this.#hasLongerCodes(domain) ? readLongerPath(path) : null
  }

  /** Asks for the longer code, if it is given, and if there is none, for the short one. */
  askEither(domain: string, longer: string | undefined, shortCode: string, done: EitherFound): void {
    const askShort = (): void => this.ask(domain, shortCode, (error, target) => done(error, target, false))
    if (longer === undefined) return askShort()
    this.ask(domain, longer, (error, target) => {
      if (error !== null || target !== null) return done(error, target, true)
      const known = this.known(domain, shortCode)
      if (known === undefined) askShort()
      else done(null, known, false)
    })
  }

  /** The target of a path: of the longer code if there is one, else of the short one. */
  async findAt(
    domain: string,
    path: ShortCodePath,
  ): Promise<{ readonly path: ShortCodePath; readonly target: Target | null }> {
    const longer = this.longerAt(domain, path)
    const target = longer === null ? null : await this.find(domain, longer.shortCode)
    if (longer !== null && target !== null) return { path: longer, target }
    return { path, target: await this.find(domain, path.shortCode) }
  }

  #cacheOf(shortCode: string): SingleFlightCache<Target | null> {
    return shortCode.includes('/') ? this.#longer : this.#short
  }

  #spelled(domain: string, shortCode: string): string {
    return domain !== '' && this.#ignoresCase(domain) ? shortCode.toLowerCase() : shortCode
  }

  forget(domain: string, shortCode: string): void {
    this.#cacheOf(shortCode).forget(cacheKey(domain, shortCode))
  }

  forgetAll(): void {
    this.#short.forgetAll()
    this.#longer.forgetAll()
  }

  expireAll(): void {
    this.#short.expireAll()
    this.#longer.expireAll()
  }
}

function targetBytes(target: Target | null): number {
  if (target === null) return ENTRY_OVERHEAD_BYTES
  const { extras, url, linkId } = target
  const bytes = ENTRY_OVERHEAD_BYTES + url.length + linkId.length
  if (extras === null) return bytes
  const { passwordHash, expiredUrl, routing, preview } = extras
  const texts = (passwordHash?.length ?? 0) + (expiredUrl?.length ?? 0)
  return bytes + EXTRAS_BYTES + texts + (routing?.bytes ?? 0) + previewBytes(preview)
}

/** Text outside of Latin-1 takes two bytes per character. */
function previewBytes(preview: StoredPreview | null): number {
  if (preview === null) return 0
  return PREVIEW_BYTES + 2 * ((preview.title?.length ?? 0) + (preview.description?.length ?? 0))
}

/**
 * Copies the text. A short code is a slice of the text of a whole request, which V8 keeps in memory as long as the slice:
 * without a copy, requests for unknown codes could fill memory through the keys of the cache.
 */
function ownText(piece: string): string {
  return Buffer.from(piece, 'latin1').toString('latin1')
}
