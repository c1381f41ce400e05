import { escapeHtml } from '@waymark/page'
import { type Block, readBlocks } from './blocks.ts'
import { plainText, renderInline, type Resolve } from './inline.ts'

/** A heading with the text below it. */
export interface Section {
  readonly id: string
  readonly level: number
  readonly title: string
  /** For the search: what stands in it, without marks. */
  readonly words: string
}

export interface RenderedMarkdown {
  readonly title: string
  /** Without the first heading, which is the title. */
  readonly html: string
  readonly sections: readonly Section[]
}

/** The name of a heading in addresses, as GitHub makes it, so that links work in both places. */
export const anchorOf = (title: string): string =>
  plainText(title)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

type Code = Extract<Block, { kind: 'code' }>

const codeHtml = ({ text, title }: Code): string =>
  `<pre tabindex="0" aria-label="${escapeHtml(title === '' ? 'Code' : title)}"><code>${escapeHtml(text)}</code></pre>`

/** Samples in several languages, one shown at a time. Radio buttons choose it, so that it needs no script. */
const tabsHtml = (codes: readonly Code[], group: number): string => {
  const tabs = codes.map((code, at) => {
    const id = `sample-${group}-${at}`
    const isFirst = at === 0 ? ' checked' : ''
    return `<input type="radio" name="sample-${group}" id="${id}"${isFirst}><label for="${id}">${escapeHtml(code.title)}</label>${codeHtml(code)}`
  })
  return `<div class="tabs" role="group" aria-label="Samples">${tabs.join('')}</div>`
}

const tableHtml = ({ head, rows }: Extract<Block, { kind: 'table' }>, resolve: Resolve): string => {
  const cells = (row: readonly string[]): string =>
    row
      .map((cell, at) => {
        const html = renderInline(cell, resolve)
        return at === 0 ? `<th scope="row">${html}</th>` : `<td>${html}</td>`
      })
      .join('')
  const titles = head.map((cell) => `<th scope="col">${renderInline(cell, resolve)}</th>`).join('')
  // A table without titles has none to show.
  const top = head.every((cell) => cell === '') ? '' : `<thead><tr>${titles}</tr></thead>`
  return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${top}<tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</tbody></table></div>`
}

class Renderer {
  readonly #resolve: Resolve
  #groups = 0

  constructor(resolve: Resolve) {
    this.#resolve = resolve
  }

  blocks(blocks: readonly Block[], isTight = false): string {
    let html = ''
    for (let at = 0; at < blocks.length; at++) {
      const codes = takeSamples(blocks, at)
      if (codes.length > 1) {
        html += tabsHtml(codes, ++this.#groups)
        at += codes.length - 1
      } else html += this.#block(blocks[at] as Block, isTight)
    }
    return html
  }

  #block(block: Block, isTight: boolean): string {
    if (block.kind === 'heading') return this.#heading(block)
    if (block.kind === 'code') return codeHtml(block)
    if (block.kind === 'table') return tableHtml(block, this.#resolve)
    if (block.kind === 'list') {
      const tag = block.isOrdered ? 'ol' : 'ul'
      const items = block.items.map((item) => `<li>${this.blocks(item, true)}</li>`)
      return `<${tag}>${items.join('')}</${tag}>`
    }
    const html = renderInline(block.text, this.#resolve)
    return isTight || html === '' ? html : `<p>${html}</p>`
  }

  #heading({ text, level }: Extract<Block, { kind: 'heading' }>): string {
    const id = anchorOf(text)
    return `<h${level} id="${id}"><a class="anchor" href="#${id}">${renderInline(text, this.#resolve)}</a></h${level}>`
  }
}

/** Code blocks with a title that follow each other, from a place on. */
const takeSamples = (blocks: readonly Block[], from: number): Code[] => {
  const codes: Code[] = []
  for (let at = from; at < blocks.length; at++) {
    const block = blocks[at]
    if (block?.kind !== 'code' || block.title === '') break
    codes.push(block)
  }
  return codes
}

const wordsOf = (block: Block): string => {
  if (block.kind === 'code') return ''
  if (block.kind === 'table') return [block.head, ...block.rows].flat().map(plainText).join(' ')
  if (block.kind === 'list') return block.items.flatMap((item) => item.map(wordsOf)).join(' ')
  return plainText(block.text)
}

const sectionsOf = (blocks: readonly Block[]): Section[] => {
  const sections: { id: string; level: number; title: string; words: string }[] = []
  for (const block of blocks) {
    if (block.kind === 'heading')
      sections.push({ id: anchorOf(block.text), level: block.level, title: plainText(block.text), words: '' })
    else {
      const last = sections.at(-1)
      if (last !== undefined) last.words = `${last.words} ${wordsOf(block)}`.trim()
    }
  }
  return sections
}

/** Renders a Markdown text of ours, whose first line is its title. */
export function renderMarkdown(text: string, resolve: Resolve): RenderedMarkdown {
  const blocks = readBlocks(text)
  const [first] = blocks
  const title = first?.kind === 'heading' ? plainText(first.text) : ''
  return {
    title,
    html: new Renderer(resolve).blocks(title === '' ? blocks : blocks.slice(1)),
    sections: sectionsOf(blocks),
  }
}
