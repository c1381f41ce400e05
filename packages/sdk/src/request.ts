import type { CallOptions } from './call-options.ts'
import { calls } from './operation-facts.gen.ts'
import type { OperationName } from './operations.ts'
import type { ClientOptions } from './options.ts'
import { type OperationCall, payloadOf, queryString, randomHex, type Payload } from './payload.ts'
import { editBody } from './rows.ts'
import { risingClock, sign } from './signer.ts'

// Whatever an operation returns, its errors are JSON.
const ACCEPTED = {
  json: 'application/json',
  csv: 'text/csv, application/json',
  archive: 'application/gzip, application/json',
  zip: 'application/zip, application/json',
  picture: 'application/pdf, image/*, application/json',
  events: 'text/event-stream, application/json',
} as const

/** A request before it is signed. */
export interface Prepared {
  readonly name: OperationName
  readonly operation: OperationCall
  readonly url: string
  readonly payload: Payload
  readonly headers: Readonly<Record<string, string>>
}

const withoutTrailingSlash = (address: string): string => {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

/** Makes the request of an operation. */
export const prepare = async (
  name: OperationName,
  options: ClientOptions,
  input: object | undefined,
  { idempotencyKey, ifMatch }: CallOptions,
): Promise<Prepared> => {
  const operation: OperationCall = calls[name]
  const isRead = operation.method === 'GET'
  const path = operation.path + (isRead ? queryString(input) : '')
  const payload = await payloadOf(operation, editBody(name, input))
  const headers: Record<string, string> = { accept: ACCEPTED[operation.returns ?? 'json'] }
  if (payload.contentType !== undefined) headers['content-type'] = payload.contentType
  if (options.strict !== false) headers['prefer'] = 'handling=strict'
  if (!isRead) headers['idempotency-key'] = idempotencyKey ?? randomHex(16)
  if (ifMatch !== undefined)
    headers['if-match'] = `"${typeof ifMatch === 'string' ? ifMatch : ifMatch.updated_at}"`
  return { name, operation, url: withoutTrailingSlash(options.baseUrl) + path, payload, headers }
}

/** Makes the headers that say who calls; a client has one of these, so that no timestamp is used twice. */
export type Credentials = (request: Prepared) => Promise<Record<string, string>>

/** The credentials of a client. */
export const credentialsOf = (options: ClientOptions, now: () => number): Credentials => {
  const timestamp = risingClock(now)
  return async ({ operation, payload, url }: Prepared): Promise<Record<string, string>> => {
    if (options.session === true || operation.auth === 'none') return {}
    if ('token' in options) return { authorization: `Bearer ${options.token}` }
    const key = { 'x-api-key': options.apiKey }
    // Signed wherever possible: a key alone is public, so some responses leave out what only its owner may see.
    if (operation.auth === 'session' || (operation.auth === 'key' && options.secret === undefined)) return key
    if (options.secret === undefined) throw new TypeError(`${operation.path} needs the secret of the key`)
    const { pathname, search } = new URL(url)
    const signable = { method: operation.method, target: pathname + search, digest: await payload.digest() }
    return { ...key, ...(await sign(options.secret, signable, timestamp())) }
  }
}
