import { absolute, linkOf, sourceOf, type RenderOptions } from './addresses.ts'
import { attribute, html, type Markup } from './markup.ts'
import { palettesOf } from './palette.ts'
import type { PageView, Picture } from './view.ts'

const DESCRIPTION_LENGTH = 200

const shortened = (text: string): string => {
  const points = Array.from(text.replaceAll(/\s+/g, ' ').trim())
  return points.length <= DESCRIPTION_LENGTH
    ? points.join('')
    : `${points.slice(0, DESCRIPTION_LENGTH - 1).join('')}…`
}

/** The description for search engines and share previews: the subtext, or otherwise the labels of buttons. */
const descriptionOf = ({ subtext, buttons }: PageView): string => {
  const own = shortened(subtext ?? '')
  return own === ''
    ? shortened(
        buttons
          .filter(({ status, label }) => status !== 0 && label !== '')
          .map(({ label }) => label)
          .join(' · '),
      )
    : own
}

const property = (name: string, content: string | number | null | undefined): Markup | null =>
  content === null || content === undefined || content === ''
    ? null
    : html`<meta property="${name}" content="${content}" />`

const named = (name: string, content: string | null): Markup | null =>
  content === null || content === '' ? null : html`<meta name="${name}" content="${content}" />`

const previewOf = (view: PageView, options: RenderOptions): Picture | null => {
  const own = (view.images ?? []).find(({ src, status }) => status !== 0 && linkOf(src) === null)
  const shown = view.preview ?? own ?? null
  return shown === null || sourceOf(shown.src, options) === null ? null : shown
}

const shareTags = (view: PageView, description: string, options: RenderOptions): Markup => {
  const preview = previewOf(view, options)
  const image = preview === null ? null : absolute(preview.src, view.address)
  const size = image === null ? null : preview
  return html`${property('og:type', 'website')}${property('og:title', view.title)}${property('og:description', description)}${property('og:url', linkOf(view.address))}${property('og:image', image)}${property('og:image:width', size?.width)}${property('og:image:height', size?.height)}${image === null ? null : property('og:image:alt', view.title)}${named('twitter:card', image === null ? 'summary' : 'summary_large_image')}${named('twitter:title', view.title)}${named('twitter:description', description)}${named('twitter:image', image)}`
}

const themeColors = ({ theme }: PageView): Markup => {
  const [first, dark] = palettesOf(theme ?? {})
  const edge = first.body[0] ?? '#ffffff'
  if (dark === undefined) return html`<meta name="theme-color" content="${edge}" />`
  return html`<meta name="theme-color" media="(prefers-color-scheme:light)" content="${edge}" /><meta
      name="theme-color"
      media="(prefers-color-scheme:dark)"
      content="${dark.body[0]}"
    />`
}

const favicon = ({ logo, logoStatus, icon }: PageView, options: RenderOptions): Markup | null => {
  const src = logo == null || logoStatus === 0 ? null : sourceOf(logo.src, options)
  // An external logo would be fetched with a referrer, because icons have no referrer policy.
  if (src === null || linkOf(src) !== null)
    return icon == null || options.preview === true
      ? null
      : html`<link rel="icon" type="image/svg+xml" href="${icon}" />`
  const [smallest] = (logo?.candidates ?? []).toSorted((a, b) => a.width - b.width)
  return html`<link rel="icon" href="${smallest?.src ?? src}" /><link rel="apple-touch-icon" href="${src}" />`
}

/** Everything in the head except the style sheet and the script. */
export const headOf = (view: PageView, options: RenderOptions): Markup => {
  const description = descriptionOf(view)
  return html`<meta charset="utf-8" /><meta
      name="viewport"
      content="width=device-width,initial-scale=1"
    /><title>${view.title}</title
    >${named('description', description)}${linkOf(view.address) === null ? null : html`<link rel="canonical" ${attribute('href', view.address)} />`}${shareTags(view, description, options)}${themeColors(view)}${favicon(view, options)}`
}
