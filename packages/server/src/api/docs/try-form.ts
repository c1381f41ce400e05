import { operations, type Operation } from '@waymark/contract'
import type { JsonSchema } from '@waymark/contract/schemas'
import { escapeHtml } from '@waymark/page'
import type { OperationExample } from '../examples.ts'
import { type Components, type Field, flatten, optionsOf, resolved, typeOf } from './fields.ts'
import type { ReferencePage } from './reference.ts'

/* The form to try an operation. The script of the pages shows it, signs the request and shows the response. */

/** Examples contain ids of resources that the reader does not have. */
const UUID = /^019bc0de-/

const topLevel = ({ operation }: ReferencePage, components: Components): Field[] => {
  const [media] = Object.values(operation.requestBody?.content ?? {})
  if (media === undefined)
    return (operation.parameters ?? []).map(({ name, required, schema }) => ({
      name,
      isRequired: required,
      schema,
    }))
  const whole = resolved(media.schema, components)
  const [first = media.schema] = (whole['anyOf'] as JsonSchema[] | undefined) ?? []
  return flatten(first, components).filter(({ name }) => !/[.[]/.test(name))
}

const isUuid = (value: unknown): boolean =>
  UUID.test(String(Array.isArray(value) ? (value as unknown[])[0] : value))

/** The initial value of a field. */
const initial = (value: unknown): string => {
  if (value === undefined || isUuid(value)) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const choice = (attributes: string, options: readonly string[], chosen: string): string => {
  const all = ['', ...options].map(
    (option) => `<option${option === chosen ? ' selected' : ''}>${escapeHtml(option)}</option>`,
  )
  return `<select ${attributes}>${all.join('')}</select>`
}

const input = (field: Field, type: string, id: string, value: string, components: Components): string => {
  const { enum: options } = resolved(field.schema, components) as { enum?: unknown[] }
  const kind = /^(?:string|file|integer|number|boolean)$/.test(type) ? type : 'json'
  const attributes = `id="${id}" name="${escapeHtml(field.name)}" data-kind="${kind}"${field.isRequired ? ' required' : ''}`
  if (kind === 'file') return `<input type="file" ${attributes}>`
  if (kind === 'boolean') return choice(attributes, ['true', 'false'], value)
  if (options !== undefined) return choice(attributes, optionsOf(options).map(String), value)
  if (kind === 'json')
    return `<textarea ${attributes} rows="${value.length > 60 ? 4 : 1}" spellcheck="false" placeholder="JSON">${escapeHtml(value)}</textarea>`
  return `<input ${attributes} value="${escapeHtml(value)}" autocomplete="off" spellcheck="false">`
}

const row = (field: Field, example: unknown, components: Components): string => {
  const type = typeOf(field.schema, components)
  const id = `try-${field.name}`
  const required = field.isRequired ? ' <em>required</em>' : ''
  const value = type === 'file' ? '' : initial(example)
  return `<label for="${id}"><code>${escapeHtml(field.name)}</code>${required}</label>${input(field, type, id, value, components)}`
}

const CREDENTIALS = `<label for="try-key">API key</label><input id="try-key" data-credential="key" placeholder="wm_…" autocomplete="off" spellcheck="false">`
const SECRET = `<label for="try-secret">Secret</label><input id="try-secret" data-credential="secret" type="password" placeholder="wms_…" autocomplete="off">`

/** Operations with a session belong to the dashboard, and a stream never ends. */
const canTry = ({ auth, tag, returns }: Operation): boolean =>
  auth !== 'session' && tag !== 'Dashboard' && returns !== 'events'

/** The form of an operation; empty for operations that cannot be called with a key. */
export function tryForm(
  page: ReferencePage,
  components: Components,
  example: OperationExample | undefined,
): string {
  const name = page.operation.operationId
  const operation: Operation = operations[name]
  if (!canTry(operation)) return ''
  const given = { ...example?.query, ...example?.body }
  const fields = topLevel(page, components)
  // Fields of the example come first; the others are collapsed.
  const isShown = ({ name, isRequired }: Field): boolean => isRequired || name in given
  const rows = (list: readonly Field[]): string =>
    list.map((field) => row(field, given[field.name], components)).join('')
  const others = fields.filter((field) => !isShown(field))
  const more =
    others.length === 0
      ? ''
      : `<details><summary>${others.length} more ${others.length === 1 ? 'field' : 'fields'}</summary><div class="fields">${rows(others)}</div></details>`
  const credentials =
    operation.auth === 'none'
      ? ''
      : `<div class="fields">${CREDENTIALS}${operation.auth === 'signed' ? SECRET : ''}</div>`
  return `<section class="needs-script try" hidden><h2 id="try-it">Try it</h2><p>Sends a request to this instance, signed in your browser. It acts on real data. Key and secret stay in this tab.</p><form data-operation="${name}">${credentials}<div class="fields">${rows(fields.filter(isShown))}</div>${more}<button>Send request</button></form><div class="outcome" role="status" aria-live="polite"></div></section>`
}
