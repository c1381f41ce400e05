import { canonicalString, multipartManifest, type PartDigest } from '@waymark/contract'
import { quotedName, type FormEntry } from './form.ts'

const encoder = new TextEncoder()

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Lower-case hex SHA-256 of a text in UTF-8, or of the bytes of a file. */
export const sha256 = async (content: string | Blob): Promise<string> => {
  const bytes = typeof content === 'string' ? encoder.encode(content) : await content.arrayBuffer()
  return hex(await crypto.subtle.digest('SHA-256', bytes))
}

/** The payload digest of a form: part by part, in the order sent. */
export const formDigest = async (entries: readonly FormEntry[]): Promise<string> => {
  const parts: PartDigest[] = []
  // One after another, so that only one file at a time is in memory.
  for (const { name, value } of entries) parts.push({ name: quotedName(name), digest: await sha256(value) })
  return sha256(multipartManifest(parts))
}

/** What a request needs to be signed. */
export interface Signable {
  readonly method: string
  /** Path with query string, as it is sent. */
  readonly target: string
  readonly digest: string
}

/** The two headers of a signed request. */
export interface SignatureHeaders {
  readonly 'x-timestamp': string
  readonly 'x-signature': string
}

/** Makes the signature of a request at a time of the caller's choice. */
export const sign = async (
  secret: string,
  request: Signable,
  timestamp: string,
): Promise<SignatureHeaders> => {
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const text = encoder.encode(canonicalString({ timestamp, ...request }))
  return { 'x-timestamp': timestamp, 'x-signature': hex(await crypto.subtle.sign('HMAC', key, text)) }
}

/** Milliseconds that never repeat: two requests of one millisecond would otherwise have one signature. */
export const risingClock = (now: () => number): (() => string) => {
  let last = 0
  return () => {
    last = Math.max(Math.trunc(now()), last + 1)
    return String(last)
  }
}
