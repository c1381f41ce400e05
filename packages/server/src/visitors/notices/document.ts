import { createHash } from 'node:crypto'
import { escapeHtml } from '@waymark/page'
import { MARK, readableOn } from '../site.ts'
import type { Language } from '@waymark/page/languages'
import { CONTOURS, type Sign, signPicture } from './sign-picture.ts'

const STYLE = `
:root{color-scheme:light dark;--ground:#f4f5f1;--card:#fff;--ink:#16201b;--soft:#536059;--line:#dde0d9;--edge:#bfc5bb;--mark:#0b5d4a;--on:#fff;--plate:#ffc52e;--glyph:#241d02;--wrong:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#0d1311;--card:#141c19;--ink:#e9efeb;--soft:#a6b3ac;--line:#26312c;--edge:#3d4c45;--mark:#63d4ae;--on:#05231a;--wrong:#ff938a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:24px 16px;background:var(--ground);color:var(--ink);
font:16px/1.55 Overpass,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{width:100%;max-width:460px;padding:28px 32px 36px;background:var(--card);border:1px solid var(--line);border-radius:18px;box-shadow:0 24px 60px -24px #16201b40}
header{display:flex;align-items:center;gap:10px;margin-bottom:28px;font-weight:700;font-size:1.0625rem;letter-spacing:-.01em}
header svg{display:block;width:32px;height:32px}
header img{display:block;max-width:200px;max-height:56px}
.sign{display:block;width:120px;height:96px;margin:0 0 20px -10px}
.hill,.post,.glyph{fill:none;stroke-linecap:round;stroke-linejoin:round}
.hill{stroke:var(--edge);stroke-width:2}.post{stroke:var(--edge);stroke-width:6}.plate{fill:var(--plate)}.glyph{stroke:var(--glyph);stroke-width:2.2}
.contours{position:fixed;inset:auto 0 0;z-index:-1;width:100%;height:46vh;fill:none;stroke:var(--line);stroke-width:1.2}
h1{margin:0 0 10px;font-size:1.5rem;line-height:1.2;letter-spacing:-.02em;text-wrap:balance;overflow-wrap:anywhere}
p{margin:0 0 12px;color:var(--soft);text-wrap:pretty}
p:last-child{margin-bottom:0}
a{color:inherit}
dl{margin:20px 0;padding:16px 18px 4px;background:var(--ground);border-radius:12px}dt{color:var(--soft);font-size:.8125rem;font-weight:600}
dd{margin:2px 0 12px;max-height:40vh;overflow:auto;overflow-wrap:anywhere;font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.9375rem}
form+form,.go+form{margin-top:28px;padding-top:8px;border-top:1px solid var(--line)}
label{display:block;margin:20px 0 6px;font-weight:600}
input{width:100%;min-height:46px;padding:10px 12px;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--edge);border-radius:10px}
button,.go{display:inline-block;min-height:44px;margin-top:16px;padding:10px 22px;font:inherit;font-weight:650;color:var(--on);background:var(--mark);
border:0;border-radius:10px;text-decoration:none;cursor:pointer}
.quiet{color:var(--ink);background:transparent;border:1px solid var(--edge)}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.wrong{color:var(--wrong);font-weight:600}
@media(max-width:480px){main{padding:24px 22px 28px}button,.go{width:100%;text-align:center}}
`

const hashOf = (style: string): string => createHash('sha256').update(style).digest('base64')

const STYLE_HASH = hashOf(STYLE)

/** The look of visitor pages on a custom domain. */
export interface Brand {
  readonly name: string | null
  /** Path of a picture on the same host. */
  readonly logo: string | null
  /** `#rrggbb`. */
  readonly color: string | null
}

const styleOf = (brand: Brand | undefined): string =>
  brand?.color == null ? STYLE : `${STYLE}:root{${coloursOf(brand.color, readableOn(brand.color))}}`

/** The colour of a brand on buttons and on the signpost. */
const coloursOf = (color: string, on: string): string =>
  `--mark:${color};--on:${on};--plate:${color};--glyph:${on}`

/** No scripts, fonts or external resources, and no framing. A logo comes from the same host. */
const policyOf = (brand: Brand | undefined): string => {
  const hash = brand?.color == null ? STYLE_HASH : hashOf(styleOf(brand))
  const images = brand?.logo == null ? '' : "img-src 'self'; "
  return `default-src 'none'; style-src 'sha256-${hash}'; ${images}base-uri 'none'; frame-ancestors 'none'`
}

/**
 * Browsers also apply `form-action` to the redirect after a form. The destination must not be revealed before the password
 * is right, so any web address is allowed.
 */
const FORM_ACTIONS = "form-action 'self' http: https:"

export interface Document {
  readonly title: string
  /** The picture on the signpost; without it the page has none. */
  readonly sign?: Sign
  /** HTML; the caller has escaped every value in it. */
  readonly body: string
  readonly form?: boolean
  /** Additional HTML of the head, escaped as well. */
  readonly head?: string
}

/** The logo and name of the domain's owner, or ours. */
function headerOf(brand: Brand | undefined): string {
  const name = escapeHtml(brand?.name ?? '')
  if (brand?.logo != null) {
    const shown = name === '' ? '' : `<span aria-hidden="true">${name}</span>`
    return `<header><img src="${escapeHtml(brand.logo)}" alt="${name}">${shown}</header>`
  }
  return name === '' ? `<header aria-hidden="true">${MARK}Waymark</header>` : `<header>${name}</header>`
}

export function renderDocument(
  { title, sign, body, head = '' }: Document,
  brand?: Brand,
  language: Language = 'en',
): string {
  const picture = sign === undefined ? '' : signPicture(sign)
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
${head}<style>${styleOf(brand)}</style>
</head>
<body>${CONTOURS}<main>${headerOf(brand)}${picture}<h1>${escapeHtml(title)}</h1>${body}</main></body>
</html>
`
}

/** Headers of a document as a flat list, the form that node:http writes fastest. */
export function documentHeaders(bytes: number, form = false, brand?: Brand): string[] {
  return [
    'content-type',
    'text/html; charset=utf-8',
    'content-length',
    String(bytes),
    'cache-control',
    'no-store',
    'content-security-policy',
    `${policyOf(brand)}; ${form ? FORM_ACTIONS : "form-action 'none'"}`,
    'x-content-type-options',
    'nosniff',
    'referrer-policy',
    'no-referrer',
  ]
}
