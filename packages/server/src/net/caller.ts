import { timingSafeEqual } from 'node:crypto'
import type { Role, Scope } from '@waymark/contract'

/** Who calls: the user, the workspace that is acted on, and the key or session that stands for both. */
export interface Caller {
  /** A cookie to send along: the session's token was changed. */
  readonly setCookie?: string
  readonly kind: 'key' | 'token' | 'session'
  /** The uuid of the key, token or session. */
  readonly uuid: string
  /** The user who signed in, or who created the key or token. */
  readonly userUuid: string
  /** The workspace that is acted on; until a session's request is authorised, the user's first. */
  readonly workspaceUuid: string
  /** In that workspace, once the request is authorised; operations of the user alone need none. */
  readonly role?: Role
  /** What a key or token is limited to; absent: everything. */
  readonly scopes?: readonly Scope[]
  /** A key or token of the command line: it acts as owner, whatever role its user has. */
  readonly byOperator?: true
  /** A request with the key alone, which is public: limits and idempotency keys are kept apart from the owner's. */
  readonly unsigned?: true
  /** Of a session: when its user last proved who they are. */
  readonly provedAtMs?: number
}

/** An access token that was found. */
export interface KnownToken {
  readonly uuid: string
  readonly userUuid: string
  readonly workspaceUuid: string
  readonly scopes?: readonly Scope[]
  readonly byOperator?: true
  readonly expiresAtMs: number | null
  /** Whether it may be used from an address. */
  readonly allows: (address: string) => boolean
}

/** How long a proof of who is there lasts. */
const PROOF_MS = 15 * 60_000

/** Whether the user of a session has just proved who they are. A key needs no such proof. */
export const isProved = ({ kind, provedAtMs = 0 }: Caller, nowMs: number): boolean =>
  kind !== 'session' || nowMs - provedAtMs <= PROOF_MS

/** An API key that was found, with what its signatures are checked with. */
export interface KnownKey extends KnownToken {
  readonly secret: string
  /** Requests without a signature are rejected. */
  readonly signatureRequired: boolean
}

/** What is known of the program that calls. */
export interface CallingClient {
  readonly address: string
  readonly userAgent: string | undefined
  readonly acceptLanguage?: string | undefined
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

/** A workspace that a user is a member of. */
export interface Membership {
  readonly workspaceUuid: string
  readonly role: Role
  /** The workspace requires a second factor, and the user has none. */
  readonly lacksSecondFactor?: true
}
