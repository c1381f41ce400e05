import type { PageView } from './view.ts'

/** Options of the renderer besides the view. */
export interface RenderOptions {
  /** For a preview in a frame: nothing is reported, links open elsewhere, unsaved pictures (`blob:`) are shown. */
  readonly preview?: boolean
}

const isOwnPath = (src: string): boolean => /^\/(?![/\\])/.test(src)

/** An http(s) address fit for an href, or null. */
export const linkOf = (url: string | null | undefined): string | null => {
  const parsed = typeof url === 'string' ? URL.parse(url) : null
  return parsed !== null && (parsed.protocol === 'https:' || parsed.protocol === 'http:')
    ? (url ?? null)
    : null
}

/** An address fit for the href of a button: also a `tel:`, `sms:` or `mailto:` address. */
export const buttonLinkOf = (url: string | null | undefined): string | null =>
  typeof url === 'string' && /^(?:tel|sms|mailto):[^\s"<>]+$/.test(url) ? url : linkOf(url)

/** An address fit for a picture, or null. */
export const sourceOf = (src: string, { preview = false }: RenderOptions): string | null => {
  if (isOwnPath(src)) return src
  if (preview && src.startsWith('blob:')) return src
  return linkOf(src)
}

/** What a policy can name. Hosts of URLs may hold `;`, `'` and `*`, which would end or widen a directive. */
const NAMEABLE_ORIGIN = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/

/** The origin that a picture comes from; null when it is this page's own, or none that a policy can name. */
export const outsideOrigin = (src: string, address: string | null | undefined): string | null => {
  if (linkOf(src) === null) return null
  const { origin } = new URL(src)
  if (!NAMEABLE_ORIGIN.test(origin)) return null
  return linkOf(address) !== null && new URL(address ?? '').origin === origin ? null : origin
}

/** An address in full, as share previews want it; null when the page's own is not known. */
export const absolute = (src: string, address: string | null | undefined): string | null =>
  URL.parse(src, linkOf(address) ?? undefined)?.href ?? null

/** Where a click is reported. */
export const eventAddress = (
  view: PageView,
  kind: 'button' | 'icon',
  id: number,
  { preview = false }: RenderOptions,
): string | null =>
  preview || (view.uuid ?? '') === '' ? null : `/e/${encodeURIComponent(view.uuid ?? '')}/${kind}/${id}`
