import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type PageView, renderPage } from '@waymark/page'
import { type Language, LANGUAGES } from '@waymark/page/languages'
import { LRUCache } from 'lru-cache'
import type { PageConfig } from '../../modules/pages/page-config.ts'
import type { PageRow, PageStore, PublicPage, SlugName } from '../../modules/pages/pages.store.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { cacheKey, SingleFlightCache } from '../single-flight-cache.ts'
import { htmlHeaders } from '../site.ts'
import { viewOf } from './page-view.ts'

/** What exists at a slug. */
export type Found =
  | { readonly kind: 'page'; readonly uuid: string; readonly page: ServedPage }
  | { readonly kind: 'moved'; readonly location: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'notFound' }

interface FinderDependencies {
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

/** Other processes send a message with every change; this limit applies if a message is lost. */
const LIMITS = { maxEntries: 20_000, maxBytes: 16 * 1024 * 1024, ttlMs: 5_000 }
const MISSING_LIMITS = { ...LIMITS, maxBytes: 4 * 1024 * 1024 }
/** Map slot, key and entry; the rendered page is counted in its own cache. */
const ENTRY_BYTES = 300
const RENDERED_BYTES = 64 * 1024 * 1024

/** Finds the page of a slug in a language: in memory, else in the database. */
export class PageFinder {
  readonly #deps: FinderDependencies
  readonly #cache: SingleFlightCache<Found>
  /** By content, so that reading a page again does not render it again. */
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

  /** The cached value; undefined if the database has to be queried. */
  known(domain: string, slug: string, language: Language): Found | undefined {
    return this.#cache.known(keyOf(domain, slug, language))
  }

  find(domain: string, slug: string, language: Language): Promise<Found> {
    return this.#cache.find(keyOf(domain, slug, language), (done) => {
      this.#read({ domain, slug }, language).then(
        (found) => done(null, found),
        (error: unknown) => done(error, NOT_FOUND),
      )
    })
  }

  forget(domain: string, slug: string): void {
    for (const language of LANGUAGES) this.#cache.forget(keyOf(domain, slug, language))
  }

  forgetAll(): void {
    this.#cache.forgetAll()
  }

  expireAll(): void {
    this.#cache.expireAll()
  }

  async #read(name: SlugName, language: Language): Promise<Found> {
    const { store, tombstones, urlOf } = this.#deps
    const row = await store.findPublicBySlug(name)
    if (row === undefined) {
      const isErased = await tombstones.has(['slug', name.domain, name.slug])
      return isErased ? { kind: 'gone' } : NOT_FOUND
    }
    if (this.#deps.isSuspended(row.workspace_uuid)) return { kind: 'blocked' }
    if (row.removed_at !== null) return { kind: 'gone' }
    if (row.slug !== name.slug || row.domain !== name.domain) return { kind: 'moved', location: urlOf(row) }
    return { kind: 'page', uuid: row.uuid, page: await this.#render(row, language) }
  }

  async #render(row: PublicPage, language: Language): Promise<ServedPage> {
    const { configOf, urlOf } = this.#deps
    const key = `${row.uuid}-${row.version}-${language}`
    const page =
      this.#rendered.get(key) ?? (await makeServedPage(viewOf(row, configOf(row), urlOf(row), language)))
    this.#rendered.set(key, page)
    return page
  }
}

/** The key includes the language, because text and `lang` differ. */
const keyOf = (domain: string, slug: string, language: Language): string =>
  `${language}:${cacheKey(domain, slug)}`

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

type Encoding = 'br' | 'gzip' | 'identity'

/** A page in one encoding, ready to be sent. */
interface ServedForm {
  readonly etag: string
  /** Flat lists of names and values, the form that node:http writes fastest. */
  readonly headers: readonly string[]
  readonly unchangedHeaders: readonly string[]
  readonly body: Buffer
}

/** A page that is rendered and compressed once for all visitors. */
export type ServedPage = Readonly<Record<Encoding, ServedForm>>

/** Renders and compresses a page; compression runs off the event loop. */
export const makeServedPage = async (view: PageView): Promise<ServedPage> => {
  const { html, style, csp } = renderPage(view)
  const identity = Buffer.from(html)
  const policy = csp(createHash('sha256').update(style).digest('base64'))
  const version = createHash('sha256').update(html).update(policy).digest('base64url').slice(0, 16)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, gzipped] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })])
  const form = (encoding: Encoding, body: Buffer): ServedForm => formOf(encoding, body, version, policy)
  return { br: form('br', br), gzip: form('gzip', gzipped), identity: form('identity', identity) }
}

const formOf = (encoding: Encoding, body: Buffer, version: string, policy: string): ServedForm => {
  const etag = `"${version}-${encoding}"`
  // Revalidated on every visit, so that every view is counted and an edit is visible immediately.
  const always = ['etag', etag, 'cache-control', 'no-cache', 'vary', 'Accept-Encoding, Accept-Language']
  const { 'x-frame-options': _, ...rest } = htmlHeaders(policy)
  const headers = [
    ...always,
    ...Object.entries(rest).flat(),
    'content-length',
    String(body.length),
    ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
  ]
  return { etag, headers, unchangedHeaders: always, body }
}

/** The encodings that a visitor accepts: all that are listed, except those with weight 0. */
const acceptedEncodings = (header: string): Set<string> => {
  const accepted = new Set<string>()
  for (const choice of header.toLowerCase().split(',')) {
    const [name = '', weight = ''] = choice.split(';', 2)
    if (!/^q=0(?:\.0*)?$/.test(weight.replaceAll(/\s/g, ''))) accepted.add(name.trim())
  }
  return accepted
}

/** The smallest form that the visitor accepts. */
export const encodingFor = (acceptEncoding: string | undefined): Encoding => {
  if (acceptEncoding === undefined) return 'identity'
  const accepted = acceptedEncodings(acceptEncoding)
  if (accepted.has('br')) return 'br'
  return accepted.has('gzip') ? 'gzip' : 'identity'
}

/** Whether the visitor already has this version. */
export const isHeld = (ifNoneMatch: string | undefined, { etag }: ServedForm): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.includes(etag) || ifNoneMatch.trim() === '*')
