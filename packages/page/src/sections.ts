import { buttonLinkOf, eventAddress, linkOf, sourceOf, type RenderOptions } from './addresses.ts'
import { colorOf } from './css-value.ts'
import { markOf } from './marks.ts'
import { attribute, html, type Markup } from './markup.ts'
import { hasShape } from './style.ts'
import {
  englishWords,
  type PageButton,
  type PageContact,
  type PageImage,
  type PageView,
  type Picture,
  type SocialIcon,
} from './view.ts'

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
  // Without its own background, text that is half over the shape at the top would be unreadable.
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
  // The caption is the alternative text of the picture, so it is read aloud only once.
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
  // A scrollable list must be focusable, otherwise the arrow keys do not work.
  return html`<div class="gallery">
    <ul class="reel" tabindex="0" aria-label="${(view.words ?? englishWords).pictures}">
      ${slides}
    </ul>
  </div>`
}

const thumbnail = ({ image }: PageButton, options: RenderOptions): Markup | null =>
  image == null ? null : picture(image, '', '3rem', false, options)

const WIDE = '(min-width:42rem) 36rem,100vw'

/** A picture. Its caption is also its alternative text; a link without one is named after its host. */
const imageBlock = (view: PageView, shown: PageButton, options: RenderOptions): Markup => {
  const label = shown.label.trim()
  const href = targetOf(shown)
  const image = shown.image == null ? null : picture(shown.image, label, WIDE, false, options)
  const inside = image ?? html`<span class="f"></span>`
  const name = label === '' ? (URL.parse(href ?? '')?.host ?? null) || null : null
  const linked =
    href === null
      ? inside
      : html`<a href="${href}" ${pingOf(view, shown, options)}${attribute('aria-label', name)}>${inside}</a>`
  return html`<figure>
    ${linked}${label === '' ? null : html`<figcaption dir="auto" aria-hidden="true">${label}</figcaption>`}
  </figure>`
}

const PLAY = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M8 5v14l11-7z" /></svg>`

/** A picture that links to a video; nothing is loaded from the video's host. */
const videoBlock = (view: PageView, shown: PageButton, options: RenderOptions): Markup => {
  const href = targetOf(shown)
  const image = shown.image == null ? null : picture(shown.image, '', WIDE, false, options)
  const inside = html`<span class="f">${image}${PLAY}</span><span class="c">${shown.label}</span>`
  return href === null
    ? html`<p class="v" dir="auto">${inside}</p>`
    : html`<a class="v" href="${href}" ${pingOf(view, shown, options)} dir="auto">${inside}</a>`
}

const given = (...parts: readonly (string | null | undefined)[]): string[] =>
  parts.map((part) => (part ?? '').trim()).filter((part) => part !== '')

const phoneLine = (number: string | null | undefined): Markup[] =>
  given(number).map((each) => {
    // The (0) of +44 (0)20 is only dialled within the country.
    const digits = each.replace(/^(\+.*?)\(0\)/, '$1').replaceAll(/[^+0-9]/g, '')
    const href = buttonLinkOf(`tel:${digits}`)
    return html`<p><a ${attribute('href', href)} dir="ltr">${each}</a></p>`
  })

const contactLines = (contact: PageContact): Markup[] => {
  const website = linkOf(contact.website)
  const place = given(contact.street, given(contact.postcode, contact.city).join(' '), contact.country).join(
    ', ',
  )
  return [
    ...phoneLine(contact.phone),
    ...phoneLine(contact.mobile),
    ...given(contact.email).map(
      (each) => html`<p><a ${attribute('href', buttonLinkOf(`mailto:${each}`))} dir="ltr">${each}</a></p>`,
    ),
    ...(website === null
      ? []
      : [
          html`<p>
            <a href="${website}" dir="ltr">${website.replace(/^https?:\/\//, '').replace(/\/$/, '')}</a>
          </p>`,
        ]),
    ...given(place).map((each) => html`<p dir="auto">${each}</p>`),
    ...given(contact.note).map((each) => html`<p class="t" dir="auto">${each}</p>`),
  ]
}

/** A contact to read, call and save. */
const contactBlock = (view: PageView, shown: PageButton, options: RenderOptions): Markup => {
  const contact = shown.contact ?? {}
  const person = given(contact.first_name, contact.last_name).join(' ')
  const company = given(contact.organisation).join('')
  const name = person === '' ? company : person
  const role = given(contact.title, person === '' ? null : company).join(', ')
  const image = shown.image == null ? null : picture(shown.image, '', '6rem', false, options)
  const label = given(shown.label)[0] ?? (view.words ?? englishWords).saveContact
  const href = targetOf(shown)
  const save =
    href === null
      ? html`<p class="b" dir="auto">${label}</p>`
      : html`<a class="b" href="${href}" ${pingOf(view, shown, options)} dir="auto">${label}</a>`
  return html`<div class="card">
    ${image}${name === '' ? null : html`<h2 dir="auto">${name}</h2>`}${role === '' ? null : html`<p dir="auto">${role}</p>`}${contactLines(contact)}${save}
  </div>`
}

const linkBlock = (view: PageView, shown: PageButton, options: RenderOptions): Markup => {
  const href = targetOf(shown)
  const image = thumbnail(shown, options)
  return href === null
    ? html`<p class="b" dir="auto">${image}${shown.label}</p>`
    : html`<a class="b" href="${href}" ${pingOf(view, shown, options)} dir="auto">${image}${shown.label}</a>`
}

type Kind = NonNullable<PageButton['type']>

const kinds: Readonly<
  Record<Exclude<Kind, 'divider'>, (view: PageView, shown: PageButton, options: RenderOptions) => Markup>
> = {
  link: linkBlock,
  heading: (_view, { label }) => html`<h2 dir="auto">${label}</h2>`,
  text: (_view, { label }) => html`<p class="t" dir="auto">${label}</p>`,
  image: imageBlock,
  video: videoBlock,
  contact: contactBlock,
}

/** The destination of a click on a block, if there is one. */
const targetOf = ({ type, url, file }: PageButton): string | null => {
  if (type === 'contact') return typeof file === 'string' && file.startsWith('/p/') ? file : null
  if (type === 'video') return linkOf(url)
  return type === 'heading' || type === 'text' || type === 'divider' ? null : buttonLinkOf(url)
}

const pingOf = (view: PageView, { id }: PageButton, options: RenderOptions): Markup | null =>
  attribute('ping', eventAddress(view, 'button', id, options))

const block = (view: PageView, shown: PageButton, options: RenderOptions): Markup =>
  shown.type === 'divider'
    ? html`<li role="separator"></li>`
    : html`<li>${kinds[shown.type ?? 'link'](view, shown, options)}</li>`

const blocks = (view: PageView, options: RenderOptions): Markup | null => {
  const shown = view.buttons.filter(isShown)
  if (shown.length === 0) return null
  return html`<nav aria-label="${(view.words ?? englishWords).links}">
    <ul>
      ${shown.map((each) => block(view, each, options))}
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
  return html`<ul class="social" aria-label="${(view.words ?? englishWords).networks}">
    ${all.map((each, index) => icon(view, each, index, options))}
  </ul>`
}

/** The visible content of a page, from top to bottom. */
export const mainOf = (view: PageView, options: RenderOptions): Markup => {
  const mark = logo(view, options)
  const isBelow = view.logoPosition.startsWith('bottom')
  const shape = hasShape(view.topShape) ? html`<div class="shape"></div>` : null
  return html`<main>
    ${shape}${isBelow ? null : mark}${heading(view)}${images(view, options)}${blocks(view, options)}${social(view, options)}${isBelow ? mark : null}
  </main>`
}

/** Whether a page reports any clicks. */
export const reportsClicks = (view: PageView, { preview = false }: RenderOptions): boolean =>
  !preview &&
  (view.uuid ?? '') !== '' &&
  (view.buttons.filter(isShown).some((each) => targetOf(each) !== null) ||
    (view.socialIcons ?? []).some(({ link }) => linkOf(link) !== null))

/** The URLs of all pictures that a page loads. */
export const pictureSources = (view: PageView, options: RenderOptions): string[] => {
  const shownLogo = view.logoStatus === 0 ? null : view.logo
  const thumbnails = view.buttons
    .filter(isShown)
    .flatMap(({ type, image }) =>
      type === 'heading' || type === 'text' || type === 'divider' ? [] : (image ?? []),
    )
  const pictures = [
    ...(shownLogo == null ? [] : [shownLogo]),
    ...(view.images ?? []).filter(isShown),
    ...thumbnails,
  ]
  const all = pictures.flatMap(({ src, candidates }) => [src, ...(candidates ?? []).map((each) => each.src)])
  return all.filter((src) => sourceOf(src, options) !== null)
}
