/** Maximum difference between X-TIMESTAMP and the server's clock, in either direction. */
export const TIMESTAMP_TOLERANCE_MS = 300_000

/** The signed parts of a request. */
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

/** The parts of a multipart part that are signed. */
export interface PartDigest {
  /** The bytes between the quotes of the part's name, undecoded. */
  readonly name: string
  /** Lower-case hex SHA-256 of the part's bytes. */
  readonly digest: string
}

/** The text whose SHA-256 is the payload digest of a multipart body; it does not include boundaries. */
export const multipartManifest = (parts: readonly PartDigest[]): string =>
  parts.map((part) => `${part.name}\n${part.digest}\n`).join('')

/** A parsed X-TIMESTAMP. */
export interface ReadTimestamp {
  readonly atMs: number
  /** A millisecond timestamp makes its signature single-use. */
  readonly singleUse: boolean
}

/** Parses Unix seconds (10 digits) or milliseconds (13 digits); undefined for anything else. */
export const readTimestamp = (text: string): ReadTimestamp | undefined => {
  if (/^\d{10}$/.test(text)) return { atMs: Number(text) * 1000, singleUse: false }
  if (/^\d{13}$/.test(text)) return { atMs: Number(text), singleUse: true }
  return undefined
}
