import { buttonLinkOf, eventAddress, linkOf, sourceOf, type RenderOptions } from './addresses.ts'
import { colorOf } from './css-value.ts'
import { markOf } from './marks.ts'
import { attribute, html, type Markup } from './markup.ts'
import { hasShape } from './style.ts'
import type { PageButton, PageImage, PageView, Picture, SocialIcon } from './view.ts'

const isShown = ({ status }: { readonly status?: number | null }): boolean => status !== 0

const picture = (
  shown: Picture,
  alt: string,
  sizes: string,
  isFirst: boolean,
  options: RenderOptions,
): Markup | null => {
  const src = sourceOf(shown.src, options)
  if (src === null) return null
  const candidates = (shown.candidates ?? [])
    .filter((candidate) => sourceOf(candidate.src, options) !== null)
    // A comma or a blank would end the candidate.
    .map(
      (candidate) =>
        `${candidate.src.replaceAll(/[\s,]/g, encodeURIComponent)} ${Math.trunc(candidate.width)}w`,
    )
  const srcset = candidates.length > 0 ? candidates.join(', ') : null
  const [width, height] = [shown.width ?? null, shown.height ?? null]
  return html`<img
    src="${src}"
    ${attribute('srcset', srcset)}${attribute('sizes', srcset && sizes)}
    alt="${alt}"
    ${attribute('width', width)}${attribute('height', height)}${attribute('loading', isFirst ? null : 'lazy')}${attribute('fetchpriority', isFirst ? 'high' : null)}
    decoding="async"
    ${attribute('referrerpolicy', linkOf(src) === null ? null : 'no-referrer')}
  />`
}

const logo = (view: PageView, options: RenderOptions): Markup | null => {
  const text = (view.logoText ?? '').trim()
  const image =
    view.logo == null ? null : picture(view.logo, text === '' ? view.title : '', '18rem', true, options)
  if (view.logoStatus === 0 || (image === null && text === '')) return null
  const place =
    { left: 'left', right: 'right', center: 'large' }[view.logoPosition.split('-')[1] ?? ''] ?? 'large'
  const isFilled = colorOf(view.theme?.logoBgColor) !== null
  const filled = isFilled ? ' filled' : ''
  // Text without a ground of its own could not be read where it lies half over the shape at the top.
  const over = isFilled || text === '' ? ' over' : ''
  return html`<div class="logo ${place}${filled}${over}">
    ${image}${text === '' ? null : html`<span dir="auto">${text}</span>`}
  </div>`
}

const LONG_TITLE = 60

const heading = ({ title, subtext }: PageView): Markup =>
  html`<header>
    <h1 dir="auto" ${attribute('class', title.length > LONG_TITLE ? 'long' : null)}>${title}</h1>
    ${(subtext ?? '') === '' ? null : html`<p dir="auto">${subtext}</p>`}
  </header>`

const figure = (image: PageImage, index: number, kind: string, options: RenderOptions): Markup | null => {
  const sizes = kind === 'hero' ? '(min-width:42rem) 36rem,100vw' : '(min-width:32rem) 26rem,84vw'
  const title = (image.title ?? '').trim()
  // The caption is what the picture is called, so it is read out once.
  const shown = picture(image, title, sizes, index === 0, options)
  if (shown === null) return null
  return html`<figure class="${kind}">
    ${shown}${title === '' ? null : html`<figcaption dir="auto" aria-hidden="true">${title}</figcaption>`}
  </figure>`
}

const images = (view: PageView, options: RenderOptions): Markup | null => {
  const shown = (view.images ?? []).filter(isShown).filter(({ src }) => sourceOf(src, options) !== null)
  const [only, second] = shown
  if (only === undefined) return null
  if (second === undefined) return figure(only, 0, 'hero', options)
  const slides = shown.map((image, index) => html`<li>${figure(image, index, 'slide', options)}</li>`)
  // A list that scrolls must take the focus, or the arrow keys do not reach it.
  return html`<div class="gallery">
    <ul class="reel" tabindex="0" aria-label="Pictures">
      ${slides}
    </ul>
  </div>`
}

const thumbnail = ({ image }: PageButton, options: RenderOptions): Markup | null =>
  image == null ? null : picture(image, '', '3rem', false, options)

const block = ({ type, label }: PageButton): Markup | null => {
  if (type === 'heading') return html`<li><h2 dir="auto">${label}</h2></li>`
  if (type === 'text') return html`<li><p class="t" dir="auto">${label}</p></li>`
  return type === 'divider' ? html`<li role="separator"></li>` : null
}

const button = (view: PageView, shown: PageButton, options: RenderOptions): Markup => {
  const between = block(shown)
  if (between !== null) return between
  const { id, label, url } = shown
  const href = buttonLinkOf(url)
  const image = thumbnail(shown, options)
  if (href === null) return html`<li><p class="b" dir="auto">${image}${label}</p></li>`
  const ping = attribute('ping', eventAddress(view, 'button', id, options))
  return html`<li><a class="b" href="${href}" ${ping} dir="auto">${image}${label}</a></li>`
}

const buttons = (view: PageView, options: RenderOptions): Markup | null => {
  const shown = view.buttons.filter(isShown)
  if (shown.length === 0) return null
  return html`<nav aria-label="Links">
    <ul>
      ${shown.map((each) => button(view, each, options))}
    </ul>
  </nav>`
}

const icon = (view: PageView, { name, link }: SocialIcon, index: number, options: RenderOptions): Markup => {
  const { label, path } = markOf(name)
  const href = linkOf(link)
  const mark = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}" /></svg>`
  if (href === null)
    return html`<li><span class="i${index}" role="img" aria-label="${label}">${mark}</span></li>`
  const ping = attribute('ping', eventAddress(view, 'icon', index, options))
  return html`<li><a class="i${index}" href="${href}" ${ping} aria-label="${label}">${mark}</a></li>`
}

const social = (view: PageView, options: RenderOptions): Markup | null => {
  const all = view.socialIcons ?? []
  if (all.length === 0) return null
  return html`<ul class="social" aria-label="Social networks">
    ${all.map((each, index) => icon(view, each, index, options))}
  </ul>`
}

/** What a visitor sees of a page, from top to bottom. */
export const mainOf = (view: PageView, options: RenderOptions): Markup => {
  const mark = logo(view, options)
  const isBelow = view.logoPosition.startsWith('bottom')
  const shape = hasShape(view.topShape) ? html`<div class="shape"></div>` : null
  return html`<main>
    ${shape}${isBelow ? null : mark}${heading(view)}${images(view, options)}${buttons(view, options)}${social(view, options)}${isBelow ? mark : null}
  </main>`
}

/** Whether anything on a page is reported when it is clicked. */
export const reportsClicks = (view: PageView, { preview = false }: RenderOptions): boolean =>
  !preview &&
  (view.uuid ?? '') !== '' &&
  (view.buttons.filter(isShown).some((each) => block(each) === null && buttonLinkOf(each.url) !== null) ||
    (view.socialIcons ?? []).some(({ link }) => linkOf(link) !== null))

/** The addresses of every picture that a page loads. */
export const pictureSources = (view: PageView, options: RenderOptions): string[] => {
  const shownLogo = view.logoStatus === 0 ? null : view.logo
  const thumbnails = view.buttons
    .filter(isShown)
    .flatMap((each) => (block(each) === null ? (each.image ?? []) : []))
  const pictures = [
    ...(shownLogo == null ? [] : [shownLogo]),
    ...(view.images ?? []).filter(isShown),
    ...thumbnails,
  ]
  const all = pictures.flatMap(({ src, candidates }) => [src, ...(candidates ?? []).map((each) => each.src)])
  return all.filter((src) => sourceOf(src, options) !== null)
}
