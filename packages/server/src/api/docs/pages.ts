import { readFileSync } from 'node:fs'
import { sites } from '@waymark/contract'
import { escapeHtml } from '@waymark/page'
import type { JsonSchema } from '@waymark/contract/schemas'
import { type Examples, readExamples } from '../examples.ts'
import type { Components } from './fields.ts'
import { renderFront, renderReferenceIndex } from './front.ts'
import { GUIDES } from './guides.ts'
import { type Frame, renderLayout } from './layout.ts'
import { llmsText } from './llms.ts'
import { plainText, renderInline } from './markdown/inline.ts'
import { renderMarkdown } from './markdown/render.ts'
import { type ReferencePage, referenceMarkdown, referencePages } from './reference.ts'
import { searchIndex } from './search-index.ts'
import { tryForm } from './try-form.ts'

const FOLDER = new URL('../../../../../docs/', import.meta.url)

/** A finished response. */
export interface DocsFile {
  readonly type: 'html' | 'markdown' | 'text' | 'json'
  readonly bytes: Buffer
}

const TRY_IT = { id: 'try-it', level: 2, title: 'Try it', words: '' }

const ALL_GUIDES = Object.values(GUIDES).flat()

/** Where a link of a guide leads on the site: to another guide, elsewhere, or nowhere, as with files of the sources. */
const resolveLink = (target: string): string | undefined => {
  const own = /^(?:\.\.\/)?([a-z-]+)\.md(#\S*)?$/.exec(target)
  if (own !== null)
    return ALL_GUIDES.some(({ name }) => name === own[1])
      ? `${sites.docs}/${own[1]}${own[2] ?? ''}`
      : undefined
  if (target.startsWith('http://localhost:3000/')) return target.slice('http://localhost:3000'.length)
  return target.startsWith('#') || target.startsWith('https://') ? target : undefined
}

/**
 * Everything below `/docs`. The set of pages is fixed by the guides and the table of operations; each is made when it
 * is asked for first and kept, so no request costs more than that once.
 */
export class DocsPages {
  readonly #files = new Map<string, DocsFile>()
  readonly #makers = new Map<string, () => DocsFile>()
  readonly #guides = new Map<string, string>()
  readonly #operations: readonly ReferencePage[]
  readonly #components: Components
  readonly #frame: Frame
  readonly #examples: Examples = readExamples()

  constructor(description: JsonSchema, baseUrl: string, script: string | undefined) {
    this.#operations = referencePages(description)
    this.#components = (description['components'] as { schemas: Components }).schemas
    for (const { name } of ALL_GUIDES)
      this.#guides.set(name, readFileSync(new URL(`${name}.md`, FOLDER), 'utf8'))
    this.#frame = { operations: this.#operations, script }
    this.#addOverviews(baseUrl)
    for (const { name, about } of ALL_GUIDES) this.#addGuide(name, about)
    for (const page of this.#operations) this.#addOperation(page)
  }

  /** The file at a path below `/docs`, which is '' for `/docs` itself. */
  find(path: string): DocsFile | undefined {
    const kept = this.#files.get(path)
    if (kept !== undefined) return kept
    const made = this.#makers.get(path)?.()
    if (made !== undefined) this.#files.set(path, made)
    return made
  }

  /** Every path that `find` knows. */
  get paths(): string[] {
    return [...this.#makers.keys()]
  }

  #add(path: string, type: DocsFile['type'], make: () => string): void {
    this.#makers.set(path, () => ({ type, bytes: Buffer.from(make()) }))
  }

  #addOverviews(baseUrl: string): void {
    const frame = this.#frame
    const llms = (): string => llmsText(baseUrl, this.#operations)
    this.#add('', 'html', () => renderFront(frame))
    this.#add('/reference', 'html', () => renderReferenceIndex(frame))
    this.#add('/reference.md', 'markdown', llms)
    this.#add('/llms.txt', 'text', llms)
    this.#add('/search.json', 'json', () =>
      JSON.stringify(
        searchIndex(
          [...this.#guides].map(([name, text]) => ({
            path: `/${name}`,
            ...renderMarkdown(text, resolveLink),
          })),
          this.#operations,
          this.#components,
        ),
      ),
    )
  }

  #addGuide(name: string, about: string): void {
    const text = this.#guides.get(name) ?? ''
    this.#add(`/${name}.md`, 'markdown', () => text)
    this.#add(`/${name}`, 'html', () => {
      const { title, html, sections } = renderMarkdown(text, resolveLink)
      const path = `${sites.docs}/${name}`
      return renderLayout(this.#frame, {
        path,
        title,
        description: about,
        html,
        sections,
        markdown: `${path}.md`,
      })
    })
  }

  #addOperation(page: ReferencePage): void {
    const example = this.#examples[page.operation.operationId]
    const body = (): string => referenceMarkdown(page, this.#components, example)
    this.#add(
      `/reference/${page.name}.md`,
      'markdown',
      () => `# ${page.summary}\n\n\`${page.method} ${page.path}\`\n\n${body()}`,
    )
    this.#add(`/reference/${page.name}`, 'html', () => {
      const { html, sections } = renderMarkdown(body(), resolveLink)
      const path = `${sites.docs}/reference/${page.name}`
      const { method } = page
      const form = tryForm(page, this.#components, example)
      const verb = `<span class="verb ${method.toLowerCase()}">${method}</span>`
      const top = `<p class="tag">${escapeHtml(page.tag)}</p><h1>${renderInline(page.summary, resolveLink)}</h1><p class="plate">${verb}<code>${escapeHtml(page.path)}</code></p>`
      return renderLayout(this.#frame, {
        path,
        title: `${method} ${page.path}`,
        description: plainText(page.summary),
        top,
        html: html + form,
        sections: form === '' ? sections : [...sections, TRY_IT],
        markdown: `${path}.md`,
      })
    })
  }
}
