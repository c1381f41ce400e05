import type { Operation } from '@waymark/contract'
import { formEntries, holdsFile, multipartBody } from './form.ts'
import { formDigest, sha256 } from './signer.ts'
import { withBlobs } from './uploads.ts'

/** How an operation is called: what a client needs of its row of the table. */
export type OperationCall = Pick<Operation, 'method' | 'path' | 'auth' | 'returns' | 'repeatable'> &
  Partial<Pick<Operation, 'takes'>>

/** What travels in the body of a request, ready to be sent more than once. */
export interface Payload {
  readonly body: string | Blob | undefined
  readonly contentType: string | undefined
  /** The payload digest; only computed when the request is signed. */
  digest(): Promise<string>
}

/** Random bits in hex. `randomUUID` exists only where the page came over HTTPS; this exists everywhere. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** The body of an operation in the format that its row names; a file needs a form whatever the row says. */
export const payloadOf = async (operation: OperationCall, input: object | undefined): Promise<Payload> => {
  if (operation.method === 'GET') return { body: undefined, contentType: undefined, digest: () => sha256('') }
  const fields = (await withBlobs({ ...input })) as Record<string, unknown>
  if (operation.takes === 'multipart' || holdsFile(fields)) {
    const entries = formEntries(fields)
    const body = multipartBody(entries, `----waymark${randomHex(16)}`)
    return { body, contentType: body.type, digest: () => formDigest(entries) }
  }
  const body = JSON.stringify(fields)
  return { body, contentType: 'application/json', digest: () => sha256(body) }
}

/** The query string of an operation that reads; absent and null fields are left out. */
export const queryString = (query: object | undefined): string => {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const pairs = given.flatMap(([key, value]) => [value].flat().map((one) => [key, String(one)]))
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? '' : `?${text}`
}
