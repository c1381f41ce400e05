import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sites } from '@waymark/contract'
import type { JsonSchema } from '@waymark/contract/schemas'
import { escapeHtml } from '@waymark/page'
import { type Examples, readExamples } from '../examples.ts'
import { describeOperations } from '../openapi.ts'
import { ANY_INSTANCE } from './docs.site.ts'
import { type Components, flatten, resolved } from './fields.ts'
import { GUIDES } from './guides.ts'
import { docsStyle, type Frame, renderFront, renderLayout, renderReferenceIndex } from './layout.ts'
import { plainText, type RenderedMarkdown, renderInline, renderMarkdown } from './markdown.ts'
import { referenceMarkdown, type ReferencePage, referencePages } from './reference.ts'
import { tryForm } from './try-form.ts'

/* Everything served below `/docs`, generated when Waymark is built: the server only sends the files. */

const FOLDER = new URL('../../../../../docs/', import.meta.url)

const TRY_IT = { id: 'try-it', level: 2, title: 'Try it', words: '' }

const ALL_GUIDES = Object.values(GUIDES).flat()

/** Maps a link of a guide to another guide or an external URL; undefined for links to source files. */
const resolveLink = (target: string): string | undefined => {
  const own = /^(?:\.\.\/)?([a-z-]+)\.md(#\S*)?$/.exec(target)
  if (own !== null)
    return ALL_GUIDES.some(({ name }) => name === own[1])
      ? `${sites.docs}/${own[1]}${own[2] ?? ''}`
      : undefined
  if (target.startsWith('http://localhost:3000/')) return target.slice('http://localhost:3000'.length)
  return target.startsWith('#') || target.startsWith('https://') ? target : undefined
}

/** The files of the docs by name: pages as HTML and as Markdown, the search index and the OpenAPI description. */
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

/** Path of the script, which is built with the dashboard. Without it, only searching and trying are missing. */
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

/** `llms.txt`: an index of the Markdown pages, for language models. See https://llmstxt.org. */
function llmsText(baseUrl: string, pages: readonly ReferencePage[]): string {
  const guides = Object.entries(GUIDES).map(
    ([group, entries]) =>
      `## ${group}\n\n${entries.map(({ name, label, about }) => `- [${label}](${baseUrl}/docs/${name}.md): ${about}`).join('\n')}`,
  )
  const operations = pages.map(
    ({ name, method, path, summary }) =>
      `- [${method} ${path}](${baseUrl}/docs/reference/${name}.md): ${summary}`,
  )
  return `${[
    '# Waymark',
    '> Short links, QR codes, barcodes, landing pages and UTM links on a server of your own, with an HTTP API.',
    `Every page is Markdown. The API in one file: [OpenAPI 3.0.3](${baseUrl}/openapi.json).`,
    ...guides,
    `## Operations\n\n${operations.join('\n')}`,
  ].join('\n\n')}\n`
}

/** An entry of the search index. */
type SearchEntry = readonly [path: string, page: string, heading: string, words: string]

const MAX_WORDS = 120

/** Every word once, in order: the search does not need repeated words. */
const wordsOf = (text: string): string => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? []
  return [...new Set(words)].slice(0, MAX_WORDS).join(' ')
}

const fieldNames = ({ operation }: ReferencePage, components: Components): string => {
  const [media] = Object.values(operation.requestBody?.content ?? {})
  const whole = media === undefined ? {} : resolved(media.schema, components)
  const forms = (whole['anyOf'] as JsonSchema[] | undefined) ?? (media === undefined ? [] : [media.schema])
  const names = forms.flatMap((form) => flatten(form, components).map(({ name }) => name))
  return [...names, ...(operation.parameters ?? []).map(({ name }) => name)].join(' ')
}

/** The search index of all pages. */
function searchIndex(
  guides: readonly (RenderedMarkdown & { readonly path: string })[],
  operations: readonly ReferencePage[],
  components: Components,
): SearchEntry[] {
  const sections = guides.flatMap(({ path, title, sections }) =>
    sections.map(({ id, level, title: heading, words }): SearchEntry => [
      level === 1 ? path : `${path}#${id}`,
      title,
      level === 1 ? '' : heading,
      wordsOf(words),
    ]),
  )
  const reference = operations.map((page): SearchEntry => [
    `/reference/${page.name}`,
    `${page.method} ${page.path}`,
    plainText(page.summary),
    wordsOf(`${page.operation.operationId} ${page.tag} ${fieldNames(page, components)}`),
  ])
  return [...reference, ...sections]
}
