import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sites } from '@waymark/contract'
import { escapeHtml } from '@waymark/page'
import { type Examples, readExamples } from '../examples.ts'
import { describeOperations } from '../openapi.ts'
import { docsStyle } from './docs-style.ts'
import { ANY_INSTANCE } from './docs.site.ts'
import type { Components } from './fields.ts'
import { renderFront, renderReferenceIndex } from './front.ts'
import { GUIDES } from './guides.ts'
import { type Frame, renderLayout } from './layout.ts'
import { llmsText } from './llms.ts'
import { plainText, renderInline, renderMarkdown } from './markdown.ts'
import { type ReferencePage, referenceMarkdown, referencePages } from './reference.ts'
import { searchIndex } from './search-index.ts'
import { tryForm } from './try-form.ts'

/* Everything that is served below `/docs`, made when Waymark is built: the server only sends the files. */

const FOLDER = new URL('../../../../../docs/', import.meta.url)

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

/** The files of the docs by their names: pages as HTML and as Markdown, the search index and the OpenAPI description. */
export function docsFiles(script: string | undefined): Map<string, string> {
  const description = describeOperations(ANY_INSTANCE)
  const operations = referencePages(description)
  const { schemas: components } = description['components'] as { schemas: Components }
  const style = createHash('sha256').update(docsStyle).digest('hex').slice(0, 8)
  const frame: Frame = { operations, script, style: `${sites.docs}/style.css?${style}` }
  const guides = ALL_GUIDES.map((guide) => {
    const text = readFileSync(new URL(`${guide.name}.md`, FOLDER), 'utf8')
    return { ...guide, text, path: `/${guide.name}`, ...renderMarkdown(text, resolveLink) }
  })
  const llms = llmsText(ANY_INSTANCE, operations)
  return new Map([
    ['index.html', renderFront(frame)],
    ['reference.html', renderReferenceIndex(frame)],
    ['reference.md', llms],
    ['llms.txt', llms],
    ['style.css', docsStyle],
    ['openapi.json', JSON.stringify(description)],
    ['search.json', JSON.stringify(searchIndex(guides, operations, components))],
    ...guides.flatMap(({ name, about, text, title, html, sections }): [string, string][] => {
      const path = `${sites.docs}/${name}`
      const content = { path, title, description: about, html, sections, markdown: `${path}.md` }
      return [
        [`${name}.md`, text],
        [`${name}.html`, renderLayout(frame, content)],
      ]
    }),
    ...operations.flatMap((page) => operationFiles(page, frame, components, readExamples())),
  ])
}

const operationFiles = (
  page: ReferencePage,
  frame: Frame,
  components: Components,
  examples: Examples,
): [string, string][] => {
  const example = examples[page.operation.operationId]
  const body = referenceMarkdown(page, components, example)
  const { html, sections } = renderMarkdown(body, resolveLink)
  const path = `${sites.docs}/reference/${page.name}`
  const { method } = page
  const form = tryForm(page, components, example)
  const verb = `<span class="verb ${method.toLowerCase()}">${method}</span>`
  const top = `<p class="tag">${escapeHtml(page.tag)}</p><h1>${renderInline(page.summary, resolveLink)}</h1><p class="plate">${verb}<code>${escapeHtml(page.path)}</code></p>`
  const content = {
    path,
    title: `${method} ${page.path}`,
    description: plainText(page.summary),
    top,
    html: html + form,
    sections: form === '' ? sections : [...sections, TRY_IT],
    markdown: `${path}.md`,
  }
  return [
    [`reference/${page.name}.md`, `# ${page.summary}\n\n\`${method} ${page.path}\`\n\n${body}`],
    [`reference/${page.name}.html`, renderLayout(frame, content)],
  ]
}

/** Path of the script, which is built with the dashboard. Without it only searching and trying are missing. */
const scriptIn = (dashboard: string): string | undefined => {
  const folder = join(dashboard, 'assets')
  const name = existsSync(folder)
    ? readdirSync(folder).find((file) => /^docs-[0-9a-f]+\.js$/.test(file))
    : undefined
  return name === undefined ? undefined : `${sites.dashboard}/assets/${name}`
}

/** Writes the docs into a folder, which is emptied first, for a dashboard that was built into another. */
export function buildDocs(folder: string, dashboard: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [name, text] of docsFiles(scriptIn(dashboard))) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
