import { eventTypes, operations, type Operation, type OperationName } from '@waymark/contract'
import type { DescribedContract } from '@waymark/contract/components'
import type { JsonSchema } from '@waymark/contract/schemas'
import { docComment, interfaceOf, propertiesOf, typeOf } from './typescript-types.ts'

/*
 * Writes the module that takes the place of src/operations.ts in the published package: the same exports, as plain
 * interfaces with doc comments from the table and the schemas.
 */

const AUTHENTICATION: Readonly<Record<Operation['auth'], string>> = {
  none: 'Needs no credentials.',
  key: 'Needs the key.',
  signed: 'Needs the key and its secret.',
  session: 'Needs a session of the dashboard.',
}

/** What an operation returns that returns a file. */
const FILE = { type: 'Uint8Array', isList: false }

const pascal = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`

/** `Success<T>`, `ListPage<T>` or `WholeList<T>` where a response has that shape; its own type otherwise. */
const responseType = (response: JsonSchema): { type: string; isList: boolean } => {
  const { status, message, data, ignored, meta, ...others } = propertiesOf(response)
  const isEnvelope = [status, message, data, ignored].every((field) => field !== undefined)
  if (!isEnvelope || Object.keys(others).length > 0) return { type: typeOf(response), isList: false }
  if (meta === undefined) return { type: `Success<${typeOf(data ?? {})}>`, isList: false }
  const item = typeOf((data?.['items'] ?? {}) as JsonSchema)
  const isList = typeOf(meta) === 'ListMeta'
  return { type: isList ? `ListPage<${item}>` : `WholeList<${item}>`, isList }
}

interface Method {
  readonly name: OperationName
  readonly text: string
  /** The query of a read, which has no name in the contract. */
  readonly query: string
}

const isEdit = (name: string): boolean => name.startsWith('edit') || name === 'updatePersonalInfo'

const methodOf = (contract: DescribedContract, name: OperationName): Method => {
  const operation: Operation = operations[name]
  const { body, query, response } = contract.operations[name]
  const { type, isList } = response['format'] === 'binary' ? FILE : responseType(response)
  const queryName = `${pascal(name)}Query`
  const data = propertiesOf(response)['data'] ?? {}
  const input =
    body === undefined
      ? query === undefined
        ? 'Record<string, never>'
        : queryName
      : isEdit(name)
        ? `OrAsItIs<${typeOf(body)}, ${typeOf(data)}>`
        : typeOf(body)
  const isOptional = body === undefined || isEmpty(contract, body)
  const required = ((query?.['required'] ?? []) as string[]).length > 0
  const comment = docComment([
    `${operation.summary}.`,
    `\`${operation.method} ${operation.path}\`. ${AUTHENTICATION[operation.auth]}`,
  ])
  const isStream = operation.returns === 'events'
  const result = isStream ? `AsyncIterable<${type}>` : isList ? `ListRequest<${type}>` : `Promise<${type}>`
  return {
    name,
    text: `${comment}\n  ${name}(input${isOptional && !required ? '?' : ''}: ${input}, options?: CallOptions): ${result}`,
    query:
      query === undefined ? '' : interfaceOf(queryName, { description: `Query of \`${name}\`.`, ...query }),
  }
}

const isEmpty = (contract: DescribedContract, body: JsonSchema): boolean => {
  const name = typeOf(body)
  return (
    ((contract.components[name]?.['required'] ?? []) as unknown[]).length === 0 && !isUnion(contract, name)
  )
}
const isUnion = (contract: DescribedContract, name: string): boolean =>
  contract.components[name]?.['anyOf'] !== undefined

/** The text of the module. */
export const operationsModule = (contract: DescribedContract): string => {
  const methods = (Object.keys(operations) as OperationName[]).map((name) => methodOf(contract, name))
  const [, someList] =
    Object.entries(contract.operations).find(([, { response }]) => 'meta' in propertiesOf(response)) ?? []
  const { data: _data, meta: _meta, ...envelope } = propertiesOf(someList?.response ?? {})
  const events = eventTypes.map((type) => `'${type}'`).join(' | ')
  return `import type { CallOptions } from './call-options.ts'
import type { ListRequest } from './lists.ts'
import type { Uploadable } from './uploads.ts'

${Object.entries(contract.components)
  .filter(([name]) => name !== 'Error')
  .map(([name, schema]) => interfaceOf(name, schema))
  .join('\n\n')}

${interfaceOf(
  'Success<T>',
  { description: 'A successful response.', properties: envelope, required: ['status', 'message'] },
  ['/** The result. */\n  data: T'],
)}

/** One page of a list. */
export interface ListPage<T> extends Success<T[]> {
  /** The position of a page in its list. */
  meta: ListMeta
}

/** A list that has one page. */
export interface WholeList<T> extends Success<T[]> {
  /** How long the list is. */
  meta: WholeListMeta
}

/** An edit takes each field also as the resource has it, so that \`{ ...link, title }\` is one. */
export type OrAsItIs<I, D> = { [K in keyof I]: K extends keyof D ? I[K] | D[K] : I[K] }

${methods
  .map(({ query }) => query)
  .filter((query) => query !== '')
  .join('\n\n')}

/** One method for each operation of the service. */
export interface Operations {
  ${methods.map(({ text }) => text).join('\n\n  ')}
}

/** The name of an operation. */
export type OperationName = keyof Operations

/** What an operation takes: its query when it reads, its body when it writes. */
export type Input<N extends OperationName> = NonNullable<Parameters<Operations[N]>[0]>

/** What an operation returns on success. */
export type ResponseOf<N extends OperationName> = Awaited<ReturnType<Operations[N]>>

/** The \`data\` of what an operation returns. */
export type Data<N extends OperationName> = ResponseOf<N> extends { data: infer D } ? D : undefined

/** The names of the operations that return pages of a list. */
export type ListName = {
  [N in OperationName]: ResponseOf<N> extends { meta: ListMeta } ? (ResponseOf<N> extends { meta: WholeListMeta } ? never : N) : never
}[OperationName]

/** One item of a list. */
export type Item<N extends ListName> = ResponseOf<N> extends { data: readonly (infer I)[] } ? I : never

/** What a webhook can be told of. */
export type EventType = ${events}
`
}
