import { escapeHtml } from '@waymark/page'
import { Lexer, Marked, type Token, type Tokens } from 'marked'

/* Renders our own texts as HTML when the docs are built. Nothing is sanitised. */

/** Resolves the target of a link; undefined removes the link but keeps its text. */
export type Resolve = (target: string) => string | undefined

/** A heading with the text below it. */
export interface Section {
  readonly id: string
  readonly level: number
  readonly title: string
  /** For the search: the plain text below the heading. */
  readonly words: string
}

export interface RenderedMarkdown {
  readonly title: string
  /** Without the first heading, which is the title. */
  readonly html: string
  readonly sections: readonly Section[]
}

/** The tokens that are inside another one. */
const inside = (token: Token): Token[] => {
  if (token.type === 'list') return (token as Tokens.List).items
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [...header, ...rows.flat()].flatMap(({ tokens }) => [...tokens, SPACE])
  }
  return ('tokens' in token ? token.tokens : undefined) ?? []
}

const SPACE: Token = { type: 'text', raw: ' ', text: ' ' }

/** The plain text of a token; empty for code blocks and pictures. */
const textOf = (token: Token): string => {
  if (token.type === 'code' || token.type === 'image') return ''
  if (token.type === 'br' || token.type === 'space') return ' '
  const tokens = inside(token)
  if (tokens.length > 0) return tokens.map(textOf).join(token.type === 'list' ? ' ' : '')
  return 'text' in token ? String(token.text) : ''
}

/** The plain text of an inline text. */
export const plainText = (text: string): string => Lexer.lexInline(text).map(textOf).join('')

/** The anchor of a heading, generated as on GitHub, so that links work in both places. */
export const anchorOf = (title: string): string =>
  plainText(title)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The title of a code block: the text after `title=` beside its language. */
const titleOf = (lang = ''): string => lang.split(' title=', 2)[1] ?? ''

const codeHtml = ({ text, lang }: Tokens.Code): string =>
  `<pre tabindex="0" aria-label="${escapeHtml(titleOf(lang) || 'Code')}"><code>${escapeHtml(text)}</code></pre>`

/** Tabs with samples in several languages. Radio buttons choose one, so that no script is needed. */
interface Tabs extends Tokens.Generic {
  readonly type: 'tabs'
  readonly group: number
  readonly codes: readonly Tokens.Code[]
}

const tabsHtml = ({ codes, group }: Tabs): string => {
  if (codes.length === 1) return codes.map(codeHtml).join('')
  const tabs = codes.map((code, at) => {
    const id = `sample-${group}-${at}`
    const isFirst = at === 0 ? ' checked' : ''
    return `<input type="radio" name="sample-${group}" id="${id}"${isFirst}><label for="${id}">${escapeHtml(titleOf(code.lang))}</label>${codeHtml(code)}`
  })
  return `<div class="tabs" role="group" aria-label="Samples">${tabs.join('')}</div>`
}

/** Combines consecutive code blocks with a title into one group of tabs. */
const withTabs = (tokens: readonly Token[]): Token[] => {
  const grouped: Token[] = []
  let groups = 0
  for (const token of tokens) {
    const last = grouped.at(-1)
    if (token.type === 'space') continue
    if (token.type !== 'code' || titleOf((token as Tokens.Code).lang) === '') grouped.push(token)
    else if (last?.type === 'tabs') (last as Tabs & { codes: Tokens.Code[] }).codes.push(token as Tokens.Code)
    else
      grouped.push({ type: 'tabs', raw: '', group: ++groups, codes: [token as Tokens.Code] } satisfies Tabs)
  }
  return grouped
}

const rendererFor = (resolve: Resolve): Marked => {
  const marked = new Marked({
    extensions: [{ name: 'tabs', renderer: (token) => tabsHtml(token as Tabs) }],
    renderer: {
      code: codeHtml,
      heading({ depth, text, tokens }) {
        const id = anchorOf(text)
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>`
      },
      paragraph({ tokens }) {
        const html = this.parser.parseInline(tokens)
        return html === '' ? '' : `<p>${html}</p>`
      },
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[]): string =>
          row
            .map(({ tokens }, at) => {
              const html = this.parser.parseInline(tokens)
              return at === 0 ? `<th scope="row">${html}</th>` : `<td>${html}</td>`
            })
            .join('')
        const titles = header.map(({ tokens }) => `<th scope="col">${this.parser.parseInline(tokens)}</th>`)
        // A table without column titles has no header.
        const top = header.every(({ text }) => text === '')
          ? ''
          : `<thead><tr>${titles.join('')}</tr></thead>`
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${top}<tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</tbody></table></div>`
      },
      link({ href, tokens }) {
        const [target, label] = [resolve(href), this.parser.parseInline(tokens)]
        return target === undefined ? label : `<a href="${escapeHtml(target)}">${label}</a>`
      },
      // Guides work without their pictures, because the text says what they show.
      image: () => '',
      // `<name>` is literal text.
      html: ({ text }) => escapeHtml(text),
    },
  })
  return marked
}

/** The HTML of a text without blocks: code, bold text and links. */
export const renderInline = (text: string, resolve: Resolve): string =>
  rendererFor(resolve).parseInline(text) as string

const sectionsOf = (tokens: readonly Token[]): Section[] => {
  const sections: { id: string; level: number; title: string; words: string }[] = []
  for (const token of tokens) {
    const text = textOf(token)
    if (token.type === 'heading') {
      const { depth, text: source } = token as Tokens.Heading
      sections.push({ id: anchorOf(source), level: depth, title: text, words: '' })
    } else {
      const last = sections.at(-1)
      if (last !== undefined) last.words = `${last.words} ${text}`.trim()
    }
  }
  return sections
}

/** Renders a Markdown text of ours, whose first line is its title. */
export function renderMarkdown(text: string, resolve: Resolve): RenderedMarkdown {
  const marked = rendererFor(resolve)
  const tokens = marked.lexer(text)
  const [first] = tokens
  const title = first?.type === 'heading' ? textOf(first) : ''
  const body = withTabs(title === '' ? tokens : tokens.slice(1))
  return { title, html: marked.parser(body), sections: sectionsOf(tokens) }
}
