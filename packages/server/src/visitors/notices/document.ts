import { createHash } from 'node:crypto'

const STYLE = `
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#14181f;--soft:#5a6472;--line:#e2e6ec;--mark:#3455db;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#0f1218;--card:#171b23;--ink:#eef1f6;--soft:#9aa5b5;--line:#2a303b;--mark:#8ea2ff;--on:#0f1218}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{width:100%;max-width:440px;padding:36px 32px;background:var(--card);border:1px solid var(--line);border-radius:16px}
svg{display:block;width:36px;height:36px;margin-bottom:20px;color:var(--mark)}
h1{margin:0 0 8px;font-size:1.375rem;line-height:1.25}
p{margin:0 0 12px;color:var(--soft)}
p:last-child{margin-bottom:0}
dl{margin:20px 0}dt{color:var(--soft);font-size:.875rem}dd{margin:2px 0 14px;overflow-wrap:anywhere}
label{display:block;margin:20px 0 6px;font-weight:600}
input{width:100%;padding:10px 12px;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--line);border-radius:10px}
button,.go{display:inline-block;margin-top:16px;padding:10px 18px;font:inherit;font-weight:600;color:var(--on);background:var(--mark);
border:0;border-radius:10px;text-decoration:none;cursor:pointer}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.wrong{color:#c62f2f}@media(prefers-color-scheme:dark){.wrong{color:#ff8f8f}}
`

const MARK = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 21v-6M12 9V3M5 3h11l3 3-3 3H5zM19 9H8l-3 3 3 3h11z"/></svg>`

const styleHash = createHash('sha256').update(STYLE).digest('base64')

/** No script, no picture, no font, nothing from elsewhere, and nobody may frame it. */
const CSP = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`

/**
 * Browsers hold the redirect that follows a form to `form-action` as well, and where that one leads is not to be
 * told before the password is right; so any web address is allowed there.
 */
const CSP_WITH_FORM = `${CSP}; form-action 'self' http: https:`

export interface Document {
  readonly title: string
  /** Markup; every value in it is escaped by whoever made it. */
  readonly body: string
  readonly form?: boolean
}

export function renderDocument({ title, body }: Document): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>${MARK}<h1>${escapeHtml(title)}</h1>${body}</main></body>
</html>
`
}

/** Headers of a document as a flat list, the form that node:http writes fastest. */
export function documentHeaders(bytes: number, form = false): string[] {
  return [
    'content-type',
    'text/html; charset=utf-8',
    'content-length',
    String(bytes),
    'cache-control',
    'no-store',
    'content-security-policy',
    form ? CSP_WITH_FORM : `${CSP}; form-action 'none'`,
    'x-content-type-options',
    'nosniff',
    'referrer-policy',
    'no-referrer',
  ]
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char)
}
