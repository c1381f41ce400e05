import { createHash } from 'node:crypto'
import { sites } from '@waymark/contract'
import { escapeHtml } from '@waymark/page'
import { SHARED_WIDTH } from '../../imaging/sizes/image-sizes.ts'
import type { StoredPreview } from '../../storage/db/tables.ts'
import { get, type Route, send, sendGone } from '../router.ts'
import { CACHE_FOREVER, isCurrent } from '../site.ts'
import { type Brand, documentHeaders, renderDocument } from '../notices/document.ts'
import type { HostNotices } from '../notices/host-notices.ts'
import type { Notice } from '../notices/notices.ts'
import type { DrawnPreviews } from '../pages/drawn-previews.ts'
import { PREVIEW_SIZE } from '../pages/page-view.ts'
import { decide, PASSWORD_SETTLED } from './decide.ts'
import type { TargetFinder } from './target-finder.ts'

export interface PreviewCardDependencies {
  readonly targets: TargetFinder
  readonly drawn: DrawnPreviews
  readonly domainOf: (host: string | undefined) => string
  readonly notices: Pick<HostNotices, 'brandOf'>
  readonly shortUrl: (name: { readonly domain: string; readonly short_code: string }) => string
  readonly sharedMediaUrl: (hash: string) => string
  readonly now: () => number
}

/** Renders the page for a link-preview bot. */
export type CardOf = (domain: string, shortCode: string, preview: StoredPreview) => Notice

export interface PreviewCards {
  readonly cardOf: CardOf
  /** Serves the pictures of cards without an uploaded one. */
  readonly route: Route
}

const NAME = /^([A-Za-z0-9_-]{1,64})\.png$/
/** Maximum length of a drawn text: more does not fit. */
const DRAWN_CHARS = 300
const NO_VISITOR = { headers: {}, query: '', rest: '', address: '' }

/** What link-preview bots get: a page with the card, and its picture. */
export function createPreviewCards(deps: PreviewCardDependencies): PreviewCards {
  const { targets, drawn, domainOf, notices, shortUrl, sharedMediaUrl, now } = deps

  const cardOf: CardOf = (domain, shortCode, preview) => {
    const url = shortUrl({ domain, short_code: shortCode })
    const brand = notices.brandOf(domain)
    const title = preview.title ?? placeOf(url)
    const image = uploadOf(preview) ?? {
      url: `${new URL(url).origin}${sites.preview}/links/${shortCode}.png?v=${versionOf(url, preview, brand)}`,
      type: 'image/png',
      ...PREVIEW_SIZE,
    }
    return cardPage({ title, description: preview.description, url, image }, brand)
  }

  const uploadOf = ({ image }: StoredPreview): Card['image'] | undefined => {
    if (image === null) return undefined
    const width = Math.min(image.width, SHARED_WIDTH)
    const height = Math.max(1, Math.round((image.height * width) / image.width))
    return { url: sharedMediaUrl(image.hash), type: 'image/jpeg', width, height }
  }

  const draw = (url: string, preview: StoredPreview, brand: Brand | undefined, version: string) =>
    drawn.get(`${url} ${version}`, () => ({
      title: drawnPart(preview.title ?? placeOf(url)),
      subtext: preview.description === null ? null : drawnPart(preview.description),
      place: placeOf(url),
      theme: { buttonBgColor: brand?.color ?? null },
      logo: undefined,
      picture: undefined,
    }))

  const route = get<'name'>(`${sites.preview}/links/:name`, async (exchange) => {
    const { request, params, query } = exchange
    const shortCode = NAME.exec(params.name)?.[1]
    const domain = domainOf(request.headers.host)
    const target = shortCode === undefined ? null : await targets.find(domain, shortCode)
    const preview = target?.extras?.preview ?? null
    // The picture is visible as long as the card: neither before the start of the link nor after its end.
    const { kind } = decide(target, NO_VISITOR, now(), PASSWORD_SETTLED)
    if (kind === 'gone' || kind === 'expired' || kind === 'blocked') return sendGone(exchange)
    if (kind !== 'redirect' || shortCode === undefined || preview === null) return exchange.notFound()
    const url = shortUrl({ domain, short_code: shortCode })
    const brand = notices.brandOf(domain)
    const version = versionOf(url, preview, brand)
    const headers = {
      etag: `"${version}"`,
      'cache-control': query['v'] === version ? CACHE_FOREVER : 'no-cache',
      'x-content-type-options': 'nosniff',
    }
    if (isCurrent(request.headers['if-none-match'], headers.etag)) return send(exchange, 304, headers)
    const picture = await draw(url, preview, brand, version)
    send(exchange, 200, { ...headers, 'content-type': 'image/png' }, picture)
  })

  return { cardOf, route }
}

/** By character: half of a surrogate pair could not be drawn. */
const drawnPart = (text: string): string => Array.from(text).slice(0, DRAWN_CHARS).join('')

const placeOf = (url: string): string => url.replace(/^https?:\/\//, '')

/** Changes with everything that the picture shows. */
const versionOf = (url: string, { title, description }: StoredPreview, brand: Brand | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([url, title, description, brand?.color]))
    .digest('base64url')
    .slice(0, 16)

/** What apps show of a shared link. */
interface Card {
  readonly title: string
  readonly description: string | null
  /** The short link: the destination is never shown. */
  readonly url: string
  readonly image: {
    readonly url: string
    readonly type: string
    readonly width: number
    readonly height: number
  }
}

/** The page that a link-preview bot gets instead of the redirect. */
function cardPage(card: Card, brand?: Brand): Notice {
  const { title, description } = card
  const text = description === null ? '' : `<p>${escapeHtml(description)}</p>`
  const body = Buffer.from(renderDocument({ title, body: text, head: tagsOf(card, brand) }, brand))
  const headers = [
    ...documentHeaders(body.length, false, brand),
    'x-robots-tag',
    'noindex',
    'vary',
    'user-agent',
  ]
  return { status: 200, headers, body }
}

function tagsOf({ title, description, url, image }: Card, brand: Brand | undefined): string {
  const openGraph: [string, string | null][] = [
    ['og:type', 'website'],
    ['og:site_name', brand?.name ?? null],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', image.url],
    ['og:image:type', image.type],
    ['og:image:width', String(image.width)],
    ['og:image:height', String(image.height)],
    ['og:image:alt', title],
  ]
  const named: [string, string | null][] = [
    ['description', description],
    ['twitter:card', 'summary_large_image'],
    ['twitter:title', title],
    ['twitter:description', description],
    ['twitter:image', image.url],
  ]
  return tags('property', openGraph) + tags('name', named)
}

function tags(
  attribute: 'property' | 'name',
  entries: readonly (readonly [string, string | null])[],
): string {
  return entries
    .filter(([, content]) => content !== null)
    .map(([name, content]) => `<meta ${attribute}="${name}" content="${escapeHtml(content ?? '')}">\n`)
    .join('')
}
