import type { Components } from './fields.ts'
import { flatten, resolved } from './fields.ts'
import { plainText, type RenderedMarkdown } from './markdown.ts'
import type { ReferencePage } from './reference.ts'
import type { JsonSchema } from '@waymark/contract/schemas'

/** What the search looks through: where, page, heading, and the words below it. */
export type SearchEntry = readonly [path: string, page: string, heading: string, words: string]

const MOST_WORDS = 120

/** Every word once, in the order of the text: what is found by a word needs it no second time. */
const wordsOf = (text: string): string => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? []
  return [...new Set(words)].slice(0, MOST_WORDS).join(' ')
}

const fieldNames = ({ operation }: ReferencePage, components: Components): string => {
  const [media] = Object.values(operation.requestBody?.content ?? {})
  const whole = media === undefined ? {} : resolved(media.schema, components)
  const forms = (whole['anyOf'] as JsonSchema[] | undefined) ?? (media === undefined ? [] : [media.schema])
  const names = forms.flatMap((form) => flatten(form, components).map(({ name }) => name))
  return [...names, ...(operation.parameters ?? []).map(({ name }) => name)].join(' ')
}

/** The index of all pages, made once. */
export function searchIndex(
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
