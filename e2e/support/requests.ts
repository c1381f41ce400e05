import { createHash, createHmac } from 'node:crypto'
import type { Account, Waymark } from './waymark.ts'

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** One part of a multipart body. */
export interface Part {
  readonly name: string
  readonly value: string | Uint8Array
  readonly filename?: string
  readonly type?: string
}

export interface Encoded {
  readonly bytes: Buffer
  readonly type: string
  readonly digest: string
}

/** A multipart body written by hand, and the digest that signs it. */
export function multipart(parts: readonly Part[], boundary = '----waymarktest7d3f'): Encoded {
  const chunks: Buffer[] = []
  let manifest = ''
  for (const { name, value, filename, type } of parts) {
    const bytes = Buffer.from(value as Uint8Array)
    const file =
      filename === undefined
        ? ''
        : `; filename="${filename}"\r\nContent-Type: ${type ?? 'application/octet-stream'}`
    chunks.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    )
    manifest += `${name}\n${sha256(bytes)}\n`
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return {
    bytes: Buffer.concat(chunks),
    type: `multipart/form-data; boundary=${boundary}`,
    digest: sha256(manifest),
  }
}

export function json(value: unknown): Encoded {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
  return { bytes, type: 'application/json', digest: sha256(bytes) }
}

export function urlencoded(fields: Record<string, string>): Encoded {
  const bytes = Buffer.from(new URLSearchParams(fields).toString())
  return { bytes, type: 'application/x-www-form-urlencoded', digest: sha256(bytes) }
}

/** The same fields in the three formats that every write takes. */
export const formats = (fields: Record<string, string>): [string, Encoded][] => [
  ['JSON', json(fields)],
  ['multipart', multipart(Object.entries(fields).map(([name, value]) => ({ name, value })))],
  ['url-encoded', urlencoded(fields)],
]

let lastMs = 0

/** Milliseconds that never repeat, so that no signature does. */
export const freshMs = (): string => {
  lastMs = Math.max(Date.now(), lastMs + 1)
  return String(lastMs)
}

/** The three headers of a signed request. */
export function sign(
  { apiKey, secret }: Pick<Account, 'apiKey' | 'secret'>,
  method: string,
  target: string,
  digest: string = sha256(''),
  timestamp: string = freshMs(),
): Record<string, string> {
  const canonical = [timestamp, method, target, digest].join('\n')
  return {
    'x-api-key': apiKey,
    'x-timestamp': timestamp,
    'x-signature': createHmac('sha256', secret).update(canonical).digest('hex'),
  }
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely by tests
  readonly body: any
}

export async function answered(response: Response): Promise<Answered> {
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  }
}

/** A signed POST of any body. */
export async function post(
  waymark: Pick<Waymark, 'url'>,
  account: Pick<Account, 'apiKey' | 'secret'>,
  target: string,
  body: Encoded | Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const encoded = isEncoded(body) ? body : json(body)
  return answered(
    await fetch(waymark.url + target, {
      method: 'POST',
      headers: { 'content-type': encoded.type, ...sign(account, 'POST', target, encoded.digest), ...headers },
      body: new Uint8Array(encoded.bytes),
    }),
  )
}

/** A signed GET. */
export async function get(
  waymark: Pick<Waymark, 'url'>,
  account: Pick<Account, 'apiKey' | 'secret'>,
  target: string,
  headers: Record<string, string> = {},
): Promise<Answered> {
  return answered(
    await fetch(waymark.url + target, { headers: { ...sign(account, 'GET', target), ...headers } }),
  )
}

const isEncoded = (body: Encoded | Record<string, unknown>): body is Encoded => Buffer.isBuffer(body['bytes'])
