import { outsideOrigin, type RenderOptions } from './addresses.ts'
import { CLICK_SCRIPT_PATH } from './click-script.ts'
import { hasFontFiles } from './fonts.ts'
import { headOf } from './head.ts'
import { html, Markup } from './markup.ts'
import { mainOf, pictureSources, reportsClicks } from './sections.ts'
import { styleOf } from './style.ts'
import type { PageView } from './view.ts'

/** A page, ready to be served. */
export interface RenderedPage {
  readonly html: string
  /** The content of its only style element. */
  readonly style: string
  /**
   * Its content security policy, given the base64 SHA-256 of `style`. A hash instead of a nonce, so that pages can be cached.
   * The caller computes it, because no synchronous hash function is available everywhere.
   */
  readonly csp: (styleHash: string) => string
}

const LANGUAGE = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i

const policyOf = (view: PageView, options: RenderOptions): ((styleHash: string) => string) => {
  const origins = pictureSources(view, options)
    .map((src) => outsideOrigin(src, view.address))
    .filter((origin) => origin !== null)
  const images = ["'self'", ...new Set(origins)].join(' ')
  const fonts = hasFontFiles(view.theme?.font) ? "font-src 'self'; " : ''
  const scripts = reportsClicks(view, options) ? "script-src 'self'; connect-src 'self'; " : ''
  return (styleHash) =>
    `default-src 'none'; style-src 'sha256-${styleHash}'; img-src ${images}; ${fonts}${scripts}base-uri 'none'; form-action 'none'; frame-ancestors 'self'`
}

/** Renders a custom page. Pure: the same view always gives the same bytes. */
export const renderPage = (view: PageView, options: RenderOptions = {}): RenderedPage => {
  const style = styleOf(view)
  const lang = LANGUAGE.test(view.lang ?? '') ? (view.lang ?? 'en') : 'en'
  const script = reportsClicks(view, options)
    ? html`<script src="${CLICK_SCRIPT_PATH}" defer></script>`
    : null
  const base = options.preview === true ? html`<base target="_blank" />` : null
  // The style sheet contains only our own rules and values that passed `cssValue`.
  const page = html`<!doctype html>
    <html lang="${lang}">
      <head>
        ${headOf(view, options)}${base}
        <style>
          ${new Markup(style)}
        </style>
        ${script}
      </head>
      <body>
        ${mainOf(view, options)}
      </body>
    </html>`
  return { html: page.html, style, csp: policyOf(view, options) }
}
