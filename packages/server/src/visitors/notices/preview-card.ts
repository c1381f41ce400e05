import { escapeHtml } from '@waymark/page'
import { type Brand, documentHeaders, renderDocument } from './document.ts'
import type { Notice } from './notices.ts'

/** What apps show of a shared link. */
export interface Card {
  readonly title: string
  readonly description: string | null
  /** The short link: the destination is never named. */
  readonly url: string
  readonly image: {
    readonly url: string
    readonly type: string
    readonly width: number
    readonly height: number
  }
}

/** The page that a preview fetcher gets instead of the redirect. */
export function cardPage(card: Card, brand?: Brand): Notice {
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
