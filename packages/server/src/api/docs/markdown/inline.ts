import { escapeHtml } from '@waymark/page'

/** What becomes of the target of a link or picture; undefined leaves the text without a link. */
export type Resolve = (target: string) => string | undefined

interface Found {
  readonly html: string
  /** Where the rest of the text begins. */
  readonly end: number
}

type Reader = (text: string, at: number, resolve: Resolve) => Found | undefined

const between = (text: string, at: number, close: string): string | undefined => {
  const end = text.indexOf(close, at)
  return end === -1 ? undefined : text.slice(at, end)
}

/** Code that holds a backtick stands between two of them. */
const code: Reader = (text, at) => {
  const mark = text[at + 1] === '`' ? '``' : '`'
  const inner = between(text, at + mark.length, mark)
  if (inner === undefined) return undefined
  // A bar inside a table cell is escaped, also inside code.
  const shown = (mark.length === 2 ? inner.trim() : inner).replaceAll('\\|', '|')
  return { html: `<code>${escapeHtml(shown)}</code>`, end: at + inner.length + 2 * mark.length }
}

const strong: Reader = (text, at, resolve) => {
  if (text[at + 1] !== '*') return undefined
  const inner = between(text, at + 2, '**')
  return inner === undefined
    ? undefined
    : { html: `<strong>${renderInline(inner, resolve)}</strong>`, end: at + inner.length + 4 }
}

const linked = (href: string | undefined, label: string): string =>
  href === undefined ? label : `<a href="${escapeHtml(href)}">${label}</a>`

const link: Reader = (text, at, resolve) => {
  const label = between(text, at + 1, '](')
  if (label === undefined || label.includes('\n\n')) return undefined
  const target = between(text, at + label.length + 3, ')')
  if (target === undefined || target.includes(' ')) return undefined
  return {
    html: linked(resolve(target), renderInline(label, resolve)),
    end: at + label.length + target.length + 4,
  }
}

const picture: Reader = (text, at) => {
  const label = text[at + 1] === '[' ? between(text, at + 2, '](') : undefined
  const target = label === undefined ? undefined : between(text, at + label.length + 4, ')')
  // Guides are read without their pictures: what they show stands in the text around them.
  return label === undefined || target === undefined
    ? undefined
    : { html: '', end: at + label.length + target.length + 5 }
}

const address: Reader = (text, at, resolve) => {
  const inner = between(text, at + 1, '>')
  if (inner === undefined || !/^https?:\/\/\S+$/.test(inner)) return undefined
  return { html: linked(resolve(inner), escapeHtml(inner)), end: at + inner.length + 2 }
}

const escaped: Reader = (text, at) => {
  const next = text[at + 1] ?? ''
  return '\\`*|_[]<#'.includes(next) && next !== '' ? { html: escapeHtml(next), end: at + 2 } : undefined
}

const READERS: Readonly<Record<string, Reader>> = {
  '`': code,
  '*': strong,
  '[': link,
  '!': picture,
  '<': address,
  '\\': escaped,
}

/** The HTML of a text: code, bold text and links; everything else is text. */
export function renderInline(text: string, resolve: Resolve): string {
  let html = ''
  let plainFrom = 0
  for (let at = 0; at < text.length;) {
    const found = READERS[text.charAt(at)]?.(text, at, resolve)
    if (found === undefined) {
      at++
      continue
    }
    html += escapeHtml(text.slice(plainFrom, at)) + found.html
    at = found.end
    plainFrom = at
  }
  return html + escapeHtml(text.slice(plainFrom))
}

/** A text as people read it, without the marks. */
export const plainText = (text: string): string =>
  renderInline(text, () => undefined)
    .replaceAll(/<\/?[a-z]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
