import type { WebhookEvent } from './webhook-events.ts'

/** A delivery that is not to be trusted. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** Headers as `fetch`, Node and most frameworks hand them over. */
export type DeliveryHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A delivery as it came in. */
export interface Delivery {
  /** All headers of the request; three of them matter. */
  readonly headers: DeliveryHeaders
  /** The body as it came, before anything has parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer
}

/** Options of `verifyWebhook`. */
export interface VerifyOptions {
  /** How far the time of a delivery may be from the clock, either way. Default 300 s. */
  readonly toleranceMs?: number | undefined
  /** The clock, for tests. */
  readonly now?: (() => number) | undefined
}

const TOLERANCE_MS = 300_000
const encoder = new TextEncoder()

const headerOf = (headers: DeliveryHeaders, name: string): string => {
  if (typeof headers['get'] === 'function') return headers.get(name) ?? ''
  const record = headers as Readonly<Record<string, string | readonly string[] | undefined>>
  const key = Object.keys(record).find((each) => each.toLowerCase() === name)
  const value = key === undefined ? '' : record[key]
  return typeof value === 'object' ? (value[0] ?? '') : (value ?? '')
}

const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const keyOf = (secret: string): Promise<CryptoKey> => {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''))
  if (bytes === undefined) throw new TypeError('The secret of a webhook starts with whsec_')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

const isSigned = async (
  secrets: readonly string[],
  content: ArrayBuffer,
  signatures: string,
): Promise<boolean> => {
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => decodeBase64(signature.slice(3)))
    .filter((signature) => signature !== undefined)
  for (const secret of secrets) {
    const key = await keyOf(secret)
    for (const signature of given)
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return true
  }
  return false
}

/**
 * The event of a delivery, once its signature and time have been verified. Throws a `WebhookVerificationError` when
 * either is wrong. While a secret is rotated, give both.
 */
export const verifyWebhook = async (
  secret: string | readonly string[],
  { headers, body }: Delivery,
  { toleranceMs = TOLERANCE_MS, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> => {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError('The headers of a webhook delivery are missing')
  if (!/^\d+$/.test(timestamp) || Math.abs(now() - Number(timestamp) * 1000) > toleranceMs)
    throw new WebhookVerificationError('The delivery is too old, or the clock is wrong')
  const bytes = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body)
  const content = new Blob([encoder.encode(`${id}.${timestamp}.`), bytes])
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!(await isSigned(secrets, await content.arrayBuffer(), signatures)))
    throw new WebhookVerificationError('The signature of the delivery is wrong')
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
}
