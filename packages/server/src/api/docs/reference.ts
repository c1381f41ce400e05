import type { OperationName } from '@waymark/contract'
import type { JsonSchema } from '@waymark/contract/schemas'
import type { OperationExample } from '../examples.ts'
import { type Components, fieldTable, flatten, resolved } from './fields.ts'
import { samplesOf } from './samples.ts'

/** An operation in the OpenAPI description. */
interface DescribedOperation {
  readonly operationId: OperationName
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Record<string, unknown>[]
  readonly parameters?: readonly {
    readonly name: string
    readonly description?: string
    readonly required: boolean
    readonly schema: JsonSchema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly content: Readonly<
          Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>
        >
      }
    >
  >
}

/** A page of the reference, for one operation. */
export interface ReferencePage {
  /** For example `generate-link` for `/v1/generate-link`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly operation: DescribedOperation
}

/** The operations of a description, in the order of the table. */
export function referencePages(description: JsonSchema): ReferencePage[] {
  const paths = description['paths'] as Record<string, Record<string, DescribedOperation>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: path.slice('/v1/'.length),
      method: method.toUpperCase(),
      path,
      tag: operation.tags[0] ?? '',
      summary: operation.summary,
      operation,
    })),
  )
}

const requestSection = ({ operation }: ReferencePage, components: Components): string[] => {
  const query = (operation.parameters ?? []).map(({ name, description, required, schema }) => ({
    name,
    isRequired: required,
    schema: { description, ...schema },
  }))
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (media === undefined)
    return query.length === 0
      ? ['This operation takes no fields.']
      : ['### Query', fieldTable(query, components)]
  const whole = resolved(media.schema, components)
  const forms = (whole['anyOf'] as JsonSchema[] | undefined) ?? [media.schema]
  const tables = forms.flatMap((form, at) => {
    const fields = flatten(form, components)
    const { description } = resolved(form, components) as { description?: string }
    const title =
      forms.length === 1 ? [] : [`#### Form ${at + 1}${description === undefined ? '' : `: ${description}`}`]
    return fields.length === 0 ? [] : [...title, fieldTable(fields, components)]
  })
  return [
    '### Body',
    `\`${type}\`; JSON, multipart and url-encoded forms are all accepted, files need multipart.`,
    ...tables,
  ]
}

const exampleBlock = (example: OperationExample | undefined): string[] => {
  if (example?.response === undefined) return []
  const { response } = example
  const [language, text] =
    typeof response === 'string' ? ['csv', response.trimEnd()] : ['json', JSON.stringify(response, null, 2)]
  return [`\`\`\`${language}\n${text}\n\`\`\``]
}

const responseSection = (
  { operation }: ReferencePage,
  components: Components,
  example: OperationExample | undefined,
): string[] => {
  const all = Object.entries(operation.responses)
  const [status = '200', response] = all.find(([code]) => code.startsWith('2')) ?? []
  const [type = '', media] = Object.entries(response?.content ?? {})[0] ?? []
  const also = Object.keys(response?.content ?? {}).slice(1)
  const format = `**${status}** \`${type}\`${also.map((other) => `, or \`${other}\` if \`Accept\` names it`).join('')}`
  const fields = media === undefined || type !== 'application/json' ? [] : flatten(media.schema, components)
  const errors = all
    .filter(([code]) => !code.startsWith('2'))
    .map(([code, { description, content }]) => {
      const example = JSON.stringify(Object.values(content)[0]?.example).replaceAll('|', String.raw`\|`)
      return `| ${code} | ${description} | \`${example}\` |`
    })
  return [
    format,
    ...exampleBlock(example),
    ...(fields.length === 0 ? [] : [fieldTable(fields, components, false)]),
    '## Errors',
    'Each error is `{"error": "…"}`, with `errors` by field where fields are wrong: see [Errors](../errors.md).',
    ['| Status | When | Example |', '|---|---|---|', ...errors].join('\n'),
  ]
}

/** The reference of an operation, as Markdown below its title. */
export function referenceMarkdown(
  page: ReferencePage,
  components: Components,
  example: OperationExample | undefined,
): string {
  const { operation } = page
  return `${[
    operation.description.slice(operation.description.indexOf('. ') + 2),
    ...(example === undefined ? [] : ['## Sample', samplesOf(operation.operationId, example)]),
    '## Request',
    ...requestSection(page, components),
    '## Response',
    ...responseSection(page, components, example),
  ].join('\n\n')}\n`
}
