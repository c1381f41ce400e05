import { LRUCache } from 'lru-cache'
import type { PageConfig } from '../../modules/pages/page-config.ts'
import type { PageRow, PageStore, PublicPage, SlugName } from '../../modules/pages/pages.store.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { viewOf } from './page-view.ts'
import { makeServedPage, type ServedPage } from './served-page.ts'

/** What is at a slug. */
export type Found =
  | { readonly kind: 'page'; readonly uuid: string; readonly page: ServedPage }
  | { readonly kind: 'moved'; readonly location: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'notFound' }

export interface FinderDependencies {
  readonly store: Pick<PageStore, 'findPublicBySlug'>
  readonly tombstones: Tombstones
  readonly configOf: (row: PageRow) => PageConfig
  readonly urlOf: (name: SlugName) => string
  /** Monotonic. */
  readonly clock: () => number
}

interface Flight {
  readonly result: Promise<Found>
  /** The page changed while it was being read: what was read may be answered, but not kept. */
  changed: boolean
}

interface Known {
  readonly found: Found
  readonly freshUntilMs: number
}

/** A net only: a change is heard of at once. */
const FRESH_MS = 5_000
/** How long a page is still served while the database is away. */
const STALE_MS = 3_600_000
const DRAWN_BYTES = 64 * 1024 * 1024

/** Finds pages by their slugs: the answer in memory in front, the database behind, never two look-ups of one at once. */
export class PageFinder {
  readonly #deps: FinderDependencies
  readonly #known: BoundedCache<Known>
  readonly #missing: BoundedCache<Known>
  /** By content, so that looking a page up again does not draw it again. */
  readonly #drawn = new LRUCache<string, ServedPage>({
    maxSize: DRAWN_BYTES,
    sizeCalculation: ({ br, gzip, identity }) =>
      br.body.length + gzip.body.length + identity.body.length + 4_000,
  })
  readonly #flights = new Map<string, Flight>()

  constructor(deps: FinderDependencies) {
    this.#deps = deps
    const limits = { maxEntries: 20_000, maxBytes: 16 * 1024 * 1024, ttlMs: STALE_MS }
    this.#known = new BoundedCache<Known>(limits, () => 300, deps.clock)
    // Apart, so that a scan of random slugs pushes out nothing but other misses.
    this.#missing = new BoundedCache<Known>({ ...limits, maxBytes: 4 * 1024 * 1024 }, () => 200, deps.clock)
  }

  /** What memory knows; undefined when the database has to be asked. */
  known(domain: string, slug: string): Found | undefined {
    const known = this.#recall(keyOf(domain, slug))
    return known !== undefined && known.freshUntilMs > this.#deps.clock() ? known.found : undefined
  }

  async find(domain: string, slug: string): Promise<Found> {
    const known = this.known(domain, slug)
    if (known !== undefined) return known
    const key = keyOf(domain, slug)
    const under = this.#flights.get(key)
    if (under !== undefined) return under.result
    const flight: Flight = { result: this.#read({ domain, slug }), changed: false }
    this.#flights.set(key, flight)
    try {
      const found = await flight.result
      if (!flight.changed) this.#keep(key, found)
      return found
    } catch (error) {
      const last = flight.changed ? undefined : this.#recall(key)
      if (last === undefined) throw error
      return last.found
    } finally {
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    }
  }

  /** A page was made, changed or removed: nothing read before this moment may be kept. */
  forget(domain: string, slug: string): void {
    const key = keyOf(domain, slug)
    this.#known.delete(key)
    this.#missing.delete(key)
    this.#leaveBehind(key)
  }

  /** Messages may have been missed, or a whole account is gone. */
  forgetAll(): void {
    this.#known.clear()
    this.#missing.clear()
    for (const key of this.#flights.keys()) this.#leaveBehind(key)
  }

  #leaveBehind(key: string): void {
    const flight = this.#flights.get(key)
    if (flight === undefined) return
    flight.changed = true
    this.#flights.delete(key)
  }

  #recall(key: string): Known | undefined {
    return this.#known.get(key) ?? this.#missing.get(key)
  }

  #keep(key: string, found: Found): void {
    const known = { found, freshUntilMs: this.#deps.clock() + FRESH_MS }
    const [into, other] =
      found.kind === 'notFound' ? [this.#missing, this.#known] : [this.#known, this.#missing]
    other.delete(key)
    into.set(key, known)
  }

  async #read(name: SlugName): Promise<Found> {
    const { store, tombstones, urlOf } = this.#deps
    const row = await store.findPublicBySlug(name)
    if (row === undefined) {
      const isBuried = await tombstones.isBuried(['slug', name.domain, name.slug])
      return { kind: isBuried ? 'gone' : 'notFound' }
    }
    if (row.removed_at !== null) return { kind: 'gone' }
    if (row.slug !== name.slug || row.domain !== name.domain) return { kind: 'moved', location: urlOf(row) }
    return { kind: 'page', uuid: row.uuid, page: await this.#draw(row) }
  }

  async #draw(row: PublicPage): Promise<ServedPage> {
    const { configOf, urlOf } = this.#deps
    const key = `${row.uuid}-${row.version}`
    const page = this.#drawn.get(key) ?? (await makeServedPage(viewOf(row, configOf(row), urlOf(row))))
    this.#drawn.set(key, page)
    return page
  }
}

/** Host names hold no slash and slugs neither, so no two pairs share a key. */
const keyOf = (domain: string, slug: string): string => (domain === '' ? slug : `${domain}/${slug}`)
