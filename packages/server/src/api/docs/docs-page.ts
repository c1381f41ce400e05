import { sites } from '@waymark/contract'
import { COMPONENTS } from '@waymark/contract/components'
import type { JsonSchema } from '@waymark/contract/schemas'
import { escapeHtml } from '@waymark/page'
import { docsStyle } from './docs-style.ts'

interface DescribedOperation {
  readonly operationId: string
  readonly tags: string[]
  readonly summary: string
  readonly security: Record<string, unknown>[]
  readonly parameters?: { name: string; description?: string; required: boolean; schema: JsonSchema }[]
  readonly requestBody?: { content: Record<string, { schema: JsonSchema }> }
  readonly responses: Record<string, { description: string; content: Record<string, { schema: JsonSchema }> }>
}

interface Field {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

const text = (value: unknown): string => escapeHtml(String(value))

/** Schemas by the names that references lead to. */
type Components = Readonly<Record<string, JsonSchema>>

/** A schema with the one it refers to put in its place. */
const resolved = (schema: JsonSchema, components: Components): JsonSchema => {
  const [wrapped] = (schema['allOf'] ?? []) as JsonSchema[]
  const reference = (wrapped ?? schema)['$ref'] as string | undefined
  if (reference === undefined) return schema
  return { ...components[reference.slice(COMPONENTS.length)], ...schema }
}

const typeOf = (schema: JsonSchema): string => {
  const [wrapped] = (schema['allOf'] ?? []) as JsonSchema[]
  if ((wrapped ?? schema)['$ref'] !== undefined) return 'object'
  if (schema['format'] === 'binary') return 'file'
  if (schema['type'] === 'array') return `list of ${typeOf((schema['items'] ?? {}) as JsonSchema)}`
  const variants = schema['anyOf'] as JsonSchema[] | undefined
  if (schema['type'] === undefined && variants !== undefined)
    return [...new Set(variants.map(typeOf))].join(' or ')
  return (schema['type'] as string | undefined) ?? 'any'
}

const RULES: readonly [key: string, words: (value: unknown) => string][] = [
  [
    'enum',
    (value) => `one of ${(value as unknown[]).map((item) => `<code>${text(item)}</code>`).join(', ')}`,
  ],
  ['minimum', (value) => `at least ${text(value)}`],
  ['maximum', (value) => `at most ${text(value)}`],
  ['minLength', (value) => `at least ${text(value)} characters`],
  ['maxLength', (value) => `at most ${text(value)} characters`],
  ['minItems', (value) => `at least ${text(value)} item(s)`],
  ['maxItems', (value) => `at most ${text(value)} items`],
  ['description', (value) => text(value).replaceAll(/`([^`]+)`/g, '<code>$1</code>')],
]

const rulesOf = (schema: JsonSchema): string => {
  // Safe integers stand for "no limit" in the schemas.
  const isNoise = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
  const rules = RULES.filter(([key]) => schema[key] !== undefined && !isNoise(schema[key]))
  const nullable = schema['nullable'] === true ? ['may be null'] : []
  return [...rules.map(([key, words]) => words(schema[key])), ...nullable].join('; ')
}

/** Fields with those inside them, named as errors name them. */
const flatten = (schema: JsonSchema, components: Components, prefix = ''): Field[] => {
  const whole = resolved(schema, components)
  const properties = Object.entries((whole['properties'] ?? {}) as Record<string, JsonSchema>)
  const required = new Set((whole['required'] ?? []) as string[])
  return properties.flatMap(([key, inner]) => {
    const name = prefix + key
    const items = inner['type'] === 'array' ? (inner['items'] as JsonSchema) : undefined
    const below = flatten(items ?? inner, components, `${name}${items ? '[]' : ''}.`)
    return [{ name, required: required.has(key), schema: inner }, ...below]
  })
}

const fieldTable = (title: string, fields: readonly Field[]): string => {
  if (fields.length === 0) return ''
  const rows = fields.map(
    ({ name, required, schema }) =>
      `<tr><th scope="row"><code>${text(name)}</code>${required ? ' <em>required</em>' : ''}</th><td>${text(typeOf(schema))}</td><td>${rulesOf(schema)}</td></tr>`,
  )
  return `<h4>${title}</h4><div class="scroll"><table><thead><tr><th>Field</th><th>Type</th><th>Rules</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

const bodyTables = (operation: DescribedOperation, components: Components): string => {
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (media === undefined) return ''
  const whole = resolved(media.schema, components)
  const variants = (whole['anyOf'] as JsonSchema[] | undefined) ?? [whole]
  const titles = variants.length === 1 ? ['Body'] : ['Body, form schema', 'Body, nested structure']
  const tables = variants.map((schema, at) => fieldTable(titles[at] ?? 'Body', flatten(schema, components)))
  return `<p class="type">Content-Type: <code>${text(type)}</code></p>${tables.join('')}`
}

const headersOf = ({ security }: DescribedOperation): string => {
  const first = Object.keys(security[0] ?? {})
  if (first.includes('signature')) return 'key, signature, timestamp'
  if (first.includes('apiKey')) return 'key'
  return first.includes('session') ? 'session' : 'none'
}

const answerTable = ({ responses }: DescribedOperation, components: Components): string => {
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const [type, media] = Object.entries(answer?.content ?? {})[0] ?? []
  if (media === undefined) return ''
  const refusals = Object.entries(responses).filter(([code]) => !code.startsWith('2'))
  const list = refusals
    .map(([code, { description }]) => `<li><b>${code}</b> ${text(description)}</li>`)
    .join('')
  return `<details><summary>Responses: <b>${status}</b>${type === 'application/json' ? '' : ` (${text(type)})`}, ${refusals.map(([code]) => code).join(', ')}</summary>${fieldTable(`${status}`, flatten(media.schema, components))}<ul>${list}</ul></details>`
}

const section = (
  path: string,
  method: string,
  operation: DescribedOperation,
  components: Components,
): string => `<article id="${text(operation.operationId)}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${text(path)}</code></h3>
<p>${text(operation.summary)}. <span class="auth">Headers: ${headersOf(operation)}</span></p>
${fieldTable(
  'Query',
  (operation.parameters ?? []).map(({ name, description, required, schema }) => ({
    name,
    required,
    schema: { description, ...schema },
  })),
)}${bodyTables(operation, components)}${answerTable(operation, components)}
</article>`

/** A page to read the description: no script, no request to anywhere. */
export function renderDocs(description: JsonSchema): string {
  const { schemas: components } = description['components'] as { schemas: Components }
  const paths = description['paths'] as Record<string, Record<string, DescribedOperation>>
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = [...new Set(all.map(({ operation }) => operation.tags[0] ?? ''))]
  const ofTag = (tag: string) => all.filter(({ operation }) => operation.tags[0] === tag)
  const nav = tags.map(
    (tag) =>
      `<li>${text(tag)}<ul>${ofTag(tag)
        .map(
          ({ operation, path }) =>
            `<li><a href="#${text(operation.operationId)}">${text(path.slice(4))}</a></li>`,
        )
        .join('')}</ul></li>`,
  )
  const body = tags.map(
    (tag) =>
      `<section><h2>${text(tag)}</h2>${ofTag(tag)
        .map(({ path, method, operation }) => section(path, method, operation, components))
        .join('')}</section>`,
  )
  const [server] = description['servers'] as { url: string }[]
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Waymark API</title><style>${docsStyle}</style></head><body>
<nav aria-label="Operations"><a class="home" href="${sites.dashboard}">Waymark</a><ul>${nav.join('')}</ul></nav>
<main><h1>Waymark API</h1>
<p>Every address is relative to <code>${text(server?.url)}</code>. The same in a form for machines: <a href="${sites.openapi}">${sites.openapi}</a> (OpenAPI 3.0.3).</p>
<h2>Signing a request</h2>
<p>Send your key as <code>X-API-KEY</code>, the time as <code>X-TIMESTAMP</code> (Unix seconds or milliseconds) and, as <code>X-SIGNATURE</code>, the lower-case hex HMAC-SHA256 with your secret over four lines:</p>
<pre>&lt;X-TIMESTAMP as sent&gt;
&lt;METHOD&gt;
&lt;path with query string&gt;
&lt;hex SHA-256 of the body&gt;</pre>
<p>For multipart bodies the digest is that of <code>&lt;field name&gt;\\n&lt;hex SHA-256 of the part&gt;\\n</code>, part by part. A wrong signature is answered with <code>canonical</code>, the string that was expected to be signed. A millisecond timestamp makes the signature single-use.</p>
<pre>body='{"link":"https://example.com"}'
ts=$(date +%s)
digest=$(printf %s "$body" | openssl dgst -sha256 -r | cut -d' ' -f1)
sig=$(printf '%s\\n%s\\n%s\\n%s' "$ts" POST /v1/generate-link "$digest" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)
curl ${text(server?.url)}/v1/generate-link -H "X-API-KEY: $API_KEY" -H "X-TIMESTAMP: $ts" -H "X-SIGNATURE: $sig" -H 'Content-Type: application/json' -d "$body"</pre>
<h2>Responses</h2>
<p>Success is <code>{"status":"success","message":…,"data":…}</code>; lists add <code>meta</code> with <code>count</code>, <code>total</code> and <code>next_cursor</code>. A refusal is <code>{"error":…}</code>, with <code>errors</code> by field when fields are wrong. Any write takes an <code>Idempotency-Key</code>: the same key gives the same answer for 24 hours and never acts twice.</p>
${body.join('')}</main></body></html>`
}
