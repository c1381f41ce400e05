import { createHash } from 'node:crypto'
import { escapeHtml } from '@waymark/page'
import { MARK } from '../../runtime/mark.ts'

const STYLE = `
:root{color-scheme:light dark;--ground:#f4f6f5;--card:#fff;--ink:#14181f;--soft:#55605c;--line:#dfe5e2;--mark:#0b5d4a;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#0d1412;--card:#15201c;--ink:#eef3f1;--soft:#9fb0aa;--line:#26342f;--mark:#ffc52e;--on:#241d02}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{width:100%;max-width:440px;padding:36px 32px;background:var(--card);border:1px solid var(--line);border-radius:16px}
header{display:flex;align-items:center;gap:12px;margin-bottom:20px;font-weight:600}
svg{display:block;width:40px;height:40px}
header img{display:block;max-width:160px;max-height:56px}
h1{margin:0 0 8px;font-size:1.375rem;line-height:1.25}
p{margin:0 0 12px;color:var(--soft)}
p:last-child{margin-bottom:0}
a{color:inherit}
dl{margin:20px 0}dt{color:var(--soft);font-size:.875rem}dd{margin:2px 0 14px;overflow-wrap:anywhere}
label{display:block;margin:20px 0 6px;font-weight:600}
input{width:100%;padding:10px 12px;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--line);border-radius:10px}
button,.go{display:inline-block;margin-top:16px;padding:10px 18px;font:inherit;font-weight:600;color:var(--on);background:var(--mark);
border:0;border-radius:10px;text-decoration:none;cursor:pointer}
.quiet{color:var(--ink);background:transparent;border:1px solid var(--line)}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.wrong{color:#c62f2f}@media(prefers-color-scheme:dark){.wrong{color:#ff8f8f}}
`

const hashOf = (style: string): string => createHash('sha256').update(style).digest('base64')

const STYLE_HASH = hashOf(STYLE)

/** How the owner of a custom domain wants its visitor pages to look. */
export interface Brand {
  readonly name: string | null
  /** Path of a picture on the same host. */
  readonly logo: string | null
  /** `#rrggbb`. */
  readonly color: string | null
}

/** White or black, whichever is read more easily on the colour (WCAG contrast). */
const readableOn = (color: string): string => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}

const styleOf = (brand: Brand | undefined): string =>
  brand?.color == null ? STYLE : `${STYLE}:root{--mark:${brand.color};--on:${readableOn(brand.color)}}`

/** No script, no font, nothing from elsewhere, and it cannot be framed. A logo comes from the same host. */
const policyOf = (brand: Brand | undefined): string => {
  const hash = brand?.color == null ? STYLE_HASH : hashOf(styleOf(brand))
  const images = brand?.logo == null ? '' : "img-src 'self'; "
  return `default-src 'none'; style-src 'sha256-${hash}'; ${images}base-uri 'none'; frame-ancestors 'none'`
}

/**
 * Browsers hold the redirect that follows a form to `form-action` as well, and where that one leads is not to be
 * told before the password is right; so any web address is allowed there.
 */
const FORM_ACTIONS = "form-action 'self' http: https:"

export interface Document {
  readonly title: string
  /** Markup; the caller has escaped every value in it. */
  readonly body: string
  readonly form?: boolean
  /** More of the head; escaped as well. */
  readonly head?: string
}

function headerOf(brand: Brand | undefined): string {
  const name = escapeHtml(brand?.name ?? '')
  if (brand?.logo != null) return `<header><img src="${escapeHtml(brand.logo)}" alt="${name}"></header>`
  return name === '' ? `<header aria-hidden="true">${MARK}</header>` : `<header>${name}</header>`
}

export function renderDocument({ title, body, head = '' }: Document, brand?: Brand): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
${head}<style>${styleOf(brand)}</style>
</head>
<body><main>${headerOf(brand)}<h1>${escapeHtml(title)}</h1>${body}</main></body>
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
