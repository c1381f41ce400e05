import { operations, type Operation } from '@waymark/contract'
import type { DescribedContract } from '@waymark/contract/components'
import { dataOf, fieldsOf, isList, resolve } from './json-schemas.ts'

/** What a client needs to know about an edit to send a whole resource back. */
interface EditFacts {
  /** Fields that only the server sets. */
  readonly readOnly: readonly string[]
  /** Fields that take an upload and are returned as its URL. */
  readonly files: readonly string[]
  /** Fields that every edit requires, besides the `uuid`. */
  readonly required: readonly string[]
}

/** What a client needs of the schemas at run time; everything else is types. */
export interface OperationFacts {
  readonly listNames: readonly string[]
  readonly edits: Readonly<Record<string, EditFacts>>
}

const isEdit = (name: string): boolean =>
  (operations as Readonly<Record<string, Operation>>)[name]?.edits !== undefined

/** Derives it from the schemas. */
export const operationFacts = (contract: DescribedContract): OperationFacts => {
  const operations = Object.entries(contract.operations)
  const edits = operations
    .filter(([name]) => isEdit(name))
    .map(([name, { body, response }]) => {
      const taken = fieldsOf(contract, body ?? {})
      const answered = Object.keys(fieldsOf(contract, dataOf(response)))
      const files = Object.keys(taken).filter((field) => {
        const schema = resolve(contract, taken[field] ?? {})
        return schema['format'] === 'binary' && answered.includes(field)
      })
      const required = ((body ? resolve(contract, body) : {})['required'] ?? []) as readonly string[]
      return [
        name,
        {
          readOnly: answered.filter((field) => !(field in taken)),
          files,
          required: required.filter((field) => field !== 'uuid'),
        },
      ]
    })
  return {
    listNames: operations.filter(([, { response }]) => isList(response)).map(([name]) => name),
    edits: Object.fromEntries(edits) as Record<string, EditFacts>,
  }
}

/** What a client needs of the table to send a request. Scopes, summaries and the like would double its size. */
const callOf = ({ method, path, auth, role, takes, returns, repeatable }: Operation) => ({
  method,
  path,
  auth,
  ...(role !== undefined && { role }),
  ...(takes === 'multipart' && { takes }),
  ...(returns !== undefined && { returns }),
  ...(repeatable !== undefined && { repeatable }),
})

/** The same as a module of the TypeScript SDK. */
export const factsModule = ({
  listNames,
  edits,
}: OperationFacts): string => `// Generated from the contract by \`npm run generate\`; do not edit.

/** How each operation is called. */
export const calls = ${JSON.stringify(Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, callOf(operation)])))} as const

/** The operations that return pages of a list. */
export const listNames = ${JSON.stringify(listNames)} as const

/** What an edit leaves out when a whole resource is sent back, and what it always needs. */
export const editFacts = ${JSON.stringify(edits)} as const
`
