import { LRUCache } from 'lru-cache'
import type { PageConfig } from '../../modules/pages/page-config.ts'
import type { PageRow, PageStore, PublicPage, SlugName } from '../../modules/pages/pages.store.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { cacheKey, SingleFlightCache } from '../single-flight-cache.ts'
import { viewOf } from './page-view.ts'
import { makeServedPage, type ServedPage } from './served-page.ts'

/** What is at a slug. */
export type Found =
  | { readonly kind: 'page'; readonly uuid: string; readonly page: ServedPage }
  | { readonly kind: 'moved'; readonly location: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'notFound' }

export interface FinderDependencies {
  readonly store: Pick<PageStore, 'findPublicBySlug'>
  readonly tombstones: Tombstones
  readonly configOf: (row: PageRow) => PageConfig
  readonly urlOf: (name: SlugName) => string
  /** Whether an operator has suspended an account. */
  readonly isSuspended: (workspaceUuid: string) => boolean
  /** Monotonic. */
  readonly clock: () => number
}

const NOT_FOUND: Found = { kind: 'notFound' }

/** Other processes send a message at every change; this is the limit in case one is lost. */
const LIMITS = { maxEntries: 20_000, maxBytes: 16 * 1024 * 1024, ttlMs: 5_000 }
const MISSING_LIMITS = { ...LIMITS, maxBytes: 4 * 1024 * 1024 }
/** Map slot, key and entry; the rendered page is counted in its own cache. */
const ENTRY_BYTES = 300
const RENDERED_BYTES = 64 * 1024 * 1024

/** Finds the page of a slug: in memory, else in the database. */
export class PageFinder {
  readonly #deps: FinderDependencies
  readonly #cache: SingleFlightCache<Found>
  /** By content, so that looking a page up again does not render it again. */
  readonly #rendered = new LRUCache<string, ServedPage>({
    maxSize: RENDERED_BYTES,
    sizeCalculation: ({ br, gzip, identity }) =>
      br.body.length + gzip.body.length + identity.body.length + 4_000,
  })

  constructor(deps: FinderDependencies) {
    this.#deps = deps
    this.#cache = new SingleFlightCache<Found>({
      found: LIMITS,
      missing: MISSING_LIMITS,
      absent: NOT_FOUND,
      bytesOf: () => ENTRY_BYTES,
      clock: deps.clock,
    })
  }

  /** What memory knows; undefined when the database has to be asked. */
  known(domain: string, slug: string): Found | undefined {
    return this.#cache.known(cacheKey(domain, slug))
  }

  find(domain: string, slug: string): Promise<Found> {
    return this.#cache.find(cacheKey(domain, slug), (done) => {
      this.#read({ domain, slug }).then(
        (found) => done(null, found),
        (error: unknown) => done(error, NOT_FOUND),
      )
    })
  }

  forget(domain: string, slug: string): void {
    this.#cache.forget(cacheKey(domain, slug))
  }

  forgetAll(): void {
    this.#cache.forgetAll()
  }

  expireAll(): void {
    this.#cache.expireAll()
  }

  async #read(name: SlugName): Promise<Found> {
    const { store, tombstones, urlOf } = this.#deps
    const row = await store.findPublicBySlug(name)
    if (row === undefined) {
      const isBuried = await tombstones.isBuried(['slug', name.domain, name.slug])
      return isBuried ? { kind: 'gone' } : NOT_FOUND
    }
    if (this.#deps.isSuspended(row.workspace_uuid)) return { kind: 'blocked' }
    if (row.removed_at !== null) return { kind: 'gone' }
    if (row.slug !== name.slug || row.domain !== name.domain) return { kind: 'moved', location: urlOf(row) }
    return { kind: 'page', uuid: row.uuid, page: await this.#render(row) }
  }

  async #render(row: PublicPage): Promise<ServedPage> {
    const { configOf, urlOf } = this.#deps
    const key = `${row.uuid}-${row.version}`
    const page = this.#rendered.get(key) ?? (await makeServedPage(viewOf(row, configOf(row), urlOf(row))))
    this.#rendered.set(key, page)
    return page
  }
}
