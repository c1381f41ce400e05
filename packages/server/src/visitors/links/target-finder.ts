import type { StoredPreview } from '../../storage/db/tables.ts'
import { cacheKey, SingleFlightCache, type SingleFlightOptions } from '../single-flight-cache.ts'
import type { Target } from './decide.ts'
import type { Lookup, TargetFound } from './lookup.ts'

export type FinderOptions = Partial<
  Pick<SingleFlightOptions<Target | null>, 'found' | 'missing' | 'clock' | 'timeoutMs'>
> & {
  /** Whether the short codes of a domain are stored in lower case. */
  readonly ignoresCase?: (domain: string) => boolean
}

const FOUND = { maxEntries: 32_000, maxBytes: 16 * 1024 * 1024, ttlMs: 60_000 }
/** Short enough that a new link of another process is found within a second even if no message arrives. */
const MISSING = { maxEntries: 20_000, maxBytes: 4 * 1024 * 1024, ttlMs: 900 }

/** Map slot, key header, entry and target objects: measured as heap growth per entry, without the text. */
const ENTRY_OVERHEAD_BYTES = 320
const EXTRAS_BYTES = 64
const PREVIEW_BYTES = 300

/** Finds the target of a short code: in memory, else in the database. */
export class TargetFinder {
  readonly #cache: SingleFlightCache<Target | null>
  readonly #lookup: Lookup
  readonly #ignoresCase: (domain: string) => boolean

  constructor(lookup: Lookup, { ignoresCase = () => false, ...options }: FinderOptions = {}) {
    this.#lookup = lookup
    this.#ignoresCase = ignoresCase
    this.#cache = new SingleFlightCache<Target | null>({
      found: FOUND,
      missing: MISSING,
      absent: null,
      bytesOf: targetBytes,
      ...options,
    })
  }

  get counts() {
    return this.#cache.counts
  }

  get size() {
    return this.#cache.size
  }

  /** The cached target; `undefined` if the database has to be queried, `null` if there is no such link. */
  known(domain: string, shortCode: string): Target | null | undefined {
    return this.#cache.known(cacheKey(domain, this.#spelled(domain, shortCode)))
  }

  ask(domain: string, piece: string, done: TargetFound): void {
    const shortCode = ownText(this.#spelled(domain, piece))
    this.#cache.ask(cacheKey(domain, shortCode), (found) => this.#lookup.find(domain, shortCode, found), done)
  }

  find(domain: string, piece: string): Promise<Target | null> {
    const shortCode = ownText(this.#spelled(domain, piece))
    return this.#cache.find(cacheKey(domain, shortCode), (found) =>
      this.#lookup.find(domain, shortCode, found),
    )
  }

  #spelled(domain: string, shortCode: string): string {
    return domain !== '' && this.#ignoresCase(domain) ? shortCode.toLowerCase() : shortCode
  }

  forget(domain: string, shortCode: string): void {
    this.#cache.forget(cacheKey(domain, shortCode))
  }

  forgetAll(): void {
    this.#cache.forgetAll()
  }

  expireAll(): void {
    this.#cache.expireAll()
  }
}

function targetBytes(target: Target | null): number {
  if (target === null) return ENTRY_OVERHEAD_BYTES
  const { extras, url, linkId } = target
  const bytes = ENTRY_OVERHEAD_BYTES + url.length + linkId.length
  if (extras === null) return bytes
  const { passwordHash, routing, preview } = extras
  return bytes + EXTRAS_BYTES + (passwordHash?.length ?? 0) + (routing?.bytes ?? 0) + previewBytes(preview)
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
