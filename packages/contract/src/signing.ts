/** How far X-TIMESTAMP may be from the server's clock, either way. */
export const TIMESTAMP_TOLERANCE_MS = 300_000

/** What is signed: the four lines that client and server must agree on. */
export interface SignedParts {
  /** X-TIMESTAMP, exactly as sent. */
  readonly timestamp: string
  readonly method: string
  /** Path with query string, exactly as sent. */
  readonly target: string
  /** Lower-case hex SHA-256 of the payload. */
  readonly digest: string
}

/** The string whose HMAC-SHA256 is X-SIGNATURE. */
export const canonicalString = ({ timestamp, method, target, digest }: SignedParts): string =>
  `${timestamp}\n${method.toUpperCase()}\n${target}\n${digest}`

/** One part of a multipart body, as far as its signature is concerned. */
export interface PartDigest {
  /** The bytes between the quotes of the part's name, undecoded. */
  readonly name: string
  /** Lower-case hex SHA-256 of the part's bytes. */
  readonly digest: string
}

/** The text whose SHA-256 is the payload digest of a multipart body; boundaries are not part of it. */
export const multipartManifest = (parts: readonly PartDigest[]): string =>
  parts.map((part) => `${part.name}\n${part.digest}\n`).join('')

/** A readable X-TIMESTAMP. */
export interface ReadTimestamp {
  readonly atMs: number
  /** A millisecond timestamp makes its signature single-use. */
  readonly singleUse: boolean
}

/** Reads Unix seconds (10 digits) or milliseconds (13 digits); anything else is undefined. */
export const readTimestamp = (text: string): ReadTimestamp | undefined => {
  if (/^\d{10}$/.test(text)) return { atMs: Number(text) * 1000, singleUse: false }
  if (/^\d{13}$/.test(text)) return { atMs: Number(text), singleUse: true }
  return undefined
}
