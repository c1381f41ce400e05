import { operations, type Operation, type OperationName } from '@waymark/contract'
import type { OperationExample } from '../../examples.ts'

/** One field of a form, as it is sent: a text or the name of a file. */
export interface FormPart {
  readonly name: string
  readonly value: string
  readonly isFile: boolean
}

/** A request that every language writes down in its own way. */
export interface SampleRequest {
  readonly name: OperationName
  readonly operation: Operation
  /** Path with query string. */
  readonly target: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly files: readonly string[]
  /** The fields as a form sends them; undefined when the body is JSON or there is none. */
  readonly parts: readonly FormPart[] | undefined
  /** Whether the response is a list, or a stream of events. */
  readonly isMany: boolean
  readonly isStream: boolean
  /** Name for the file that the operation returns; undefined when it returns JSON. */
  readonly download: string | undefined
}

const DOWNLOADS = { csv: 'links.csv', archive: 'takeout.tar.gz', events: undefined } as const

/** Fields with numbered brackets: every name is there once, which not every language can do without. */
const partsOf = (name: string, value: unknown, isFile: boolean): FormPart[] => {
  if (Array.isArray(value)) return value.flatMap((item, at) => partsOf(`${name}[${at}]`, item, isFile))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => partsOf(`${name}[${key}]`, inner, isFile))
  return [{ name, value: typeof value === 'string' ? value : JSON.stringify(value), isFile }]
}

/** The request of a recorded call. */
export function sampleRequest(name: OperationName, example: OperationExample): SampleRequest {
  const operation: Operation = operations[name]
  const { query = {}, body, files = [], response } = example
  const pairs = Object.entries(query).map(([key, value]) => [key, String(value)])
  const search = new URLSearchParams(pairs).toString()
  const isStream = operation.returns === 'events'
  const isForm = operation.takes === 'multipart' && body !== undefined
  return {
    name,
    operation,
    target: operation.path + (search === '' ? '' : `?${search}`),
    query,
    body,
    files,
    parts: isForm
      ? Object.entries(body).flatMap(([key, value]) => partsOf(key, value, files.includes(key)))
      : undefined,
    isMany: isStream || (typeof response === 'object' && response !== null && 'meta' in response),
    isStream,
    download: operation.returns === undefined ? undefined : DOWNLOADS[operation.returns],
  }
}
