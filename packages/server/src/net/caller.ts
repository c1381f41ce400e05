import { timingSafeEqual } from 'node:crypto'

/** Who calls: the user, the workspace that is acted on, and the key or session that stands for both. */
export interface Caller {
  /** A cookie to send along: the session's token was changed. */
  readonly setCookie?: string
  readonly kind: 'key' | 'session'
  /** The key's or the session's uuid. */
  readonly uuid: string
  /** The user who signed in, or who created the key. */
  readonly userUuid: string
  readonly workspaceUuid: string
  /** A request with the key alone, which is public: limits and idempotency keys are kept apart from the owner's. */
  readonly unsigned?: true
  /** `read`: a key that may change nothing. A session may do everything. */
  readonly scope?: 'read' | 'write'
}

/** An API key that was found, with what its signatures are checked with. */
export interface KnownKey {
  readonly uuid: string
  readonly userUuid: string
  readonly workspaceUuid: string
  readonly secret: string
  readonly scope: 'read' | 'write'
  /** Requests without a signature are rejected. */
  readonly signatureRequired: boolean
}

/** What is known of the program that calls. */
export interface CallingClient {
  readonly address: string
  readonly userAgent: string | undefined
  /** The cookie of a browser that has signed in before, if one was sent. */
  readonly browserToken?: string | undefined
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export const isSameText = (given: string | undefined, expected: string): boolean => {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whether an `authorization` header carries the token. */
export const isBearer = (header: string | undefined, token: string): boolean =>
  isSameText(header, `Bearer ${token}`)
