import type { PageView } from './view.ts'

/** Options of the renderer besides the view. */
export interface RenderOptions {
  /** For a preview in a frame: no clicks are reported, links open in a new tab, unsaved pictures (`blob:`) are shown. */
  readonly preview?: boolean
}

const isOwnPath = (src: string): boolean => /^\/(?![/\\])/.test(src)

/** A valid http(s) URL for an href, or null. */
export const linkOf = (url: string | null | undefined): string | null => {
  const parsed = typeof url === 'string' ? URL.parse(url) : null
  return parsed !== null && (parsed.protocol === 'https:' || parsed.protocol === 'http:')
    ? (url ?? null)
    : null
}

/** A valid URL for the href of a button, including `tel:`, `sms:` and `mailto:`. */
export const buttonLinkOf = (url: string | null | undefined): string | null =>
  typeof url === 'string' && /^(?:tel|sms|mailto):[^\s"<>]+$/.test(url) ? url : linkOf(url)

/** A valid URL for a picture, or null. */
export const sourceOf = (src: string, { preview = false }: RenderOptions): string | null => {
  if (isOwnPath(src)) return src
  if (preview && src.startsWith('blob:')) return src
  return linkOf(src)
}

/** Origins that a content security policy can list. Hosts may contain `;`, `'` and `*`, which would end or widen a directive. */
const NAMEABLE_ORIGIN = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/

/** The origin of a picture; null if it is the page's own, or cannot be listed in a policy. */
export const outsideOrigin = (src: string, address: string | null | undefined): string | null => {
  if (linkOf(src) === null) return null
  const { origin } = new URL(src)
  if (!NAMEABLE_ORIGIN.test(origin)) return null
  return linkOf(address) !== null && new URL(address ?? '').origin === origin ? null : origin
}

/** An absolute URL for share previews; null if the page's own is unknown. */
export const absolute = (src: string, address: string | null | undefined): string | null =>
  URL.parse(src, linkOf(address) ?? undefined)?.href ?? null

/** The URL where a click is reported. */
export const eventAddress = (
  view: PageView,
  kind: 'button' | 'icon',
  id: number,
  { preview = false }: RenderOptions,
): string | null =>
  preview || (view.uuid ?? '') === '' ? null : `/e/${encodeURIComponent(view.uuid ?? '')}/${kind}/${id}`
