import { timingSafeEqual } from 'node:crypto'
import type { Role, Scope } from '@waymark/contract'
import type { JobCaller } from '../storage/db/tables.ts'

/** The caller of an operation: user, workspace, and the key or session. */
export interface Caller {
  /** A cookie to send because the session's token was changed. */
  readonly setCookie?: string
  readonly kind: 'key' | 'token' | 'session'
  /** The uuid of the key, token or session. */
  readonly uuid: string
  /** The user who signed in, or who created the key or token. One that was kept has its own uuid here: see `personOf`. */
  readonly userUuid: string
  /** The workspace of the request; until a session's request is authorised, the user's first. */
  readonly workspaceUuid: string
  /** The role in that workspace, after authorisation; operations on the user alone need none. */
  readonly role?: Role
  /** The scopes of a key or token; undefined: everything. */
  readonly scopes?: readonly Scope[]
  /** A key or token of the command line: it acts as owner, whatever role its user has. */
  readonly byOperator?: true
  /** A key or token that was kept when its creator was removed: it acts with this role, and for no user. */
  readonly keptRole?: Role
  /** A request with only the key, which is public: limits and idempotency keys are separate from the owner's. */
  readonly unsigned?: true
  /** For a session: when its user last proved their identity. */
  readonly provedAtMs?: number
}

/** An access token from the database. */
export interface KnownToken {
  readonly uuid: string
  readonly userUuid: string
  readonly workspaceUuid: string
  readonly scopes?: readonly Scope[]
  readonly byOperator?: true
  readonly keptRole?: Role
  readonly expiresAtMs: number | null
  /** Whether it may be used from an address. */
  readonly allows: (address: string) => boolean
}

/** Who a key or token acts as. */
export const identityOf = ({ uuid, userUuid, workspaceUuid, scopes, byOperator, keptRole }: KnownToken) => ({
  uuid,
  userUuid,
  workspaceUuid,
  ...(scopes && { scopes }),
  ...(byOperator === true && { byOperator }),
  ...(keptRole && { keptRole }),
})

/** The user that a caller acts for; undefined for a key or token that was kept when its creator was removed. */
export const personOf = ({ userUuid, keptRole }: Pick<Caller, 'userUuid' | 'keptRole'>): string | undefined =>
  keptRole === undefined ? userUuid : undefined

/** How long a proof of identity is valid. */
const PROOF_MS = 15 * 60_000

/** Whether the user of a session has recently proved their identity. Keys need no proof. */
export const isProved = ({ kind, provedAtMs = 0 }: Caller, nowMs: number): boolean =>
  kind !== 'session' || nowMs - provedAtMs <= PROOF_MS

/** An API key from the database, with the secret that its signatures are verified with. */
export interface KnownKey extends KnownToken {
  readonly secret: string
  /** Requests without a signature are rejected. */
  readonly signatureRequired: boolean
}

/** Properties of the calling program. */
export interface CallingClient {
  readonly address: string
  readonly userAgent: string | undefined
  readonly acceptLanguage?: string | undefined
  /** The cookie of a browser that has signed in before, if one was sent. */
  readonly browserToken?: string | undefined
}

/** Compares two texts in constant time. */
export const isSameText = (given: string | undefined, expected: string): boolean => {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whether an `authorization` header has the token. */
export const isBearer = (header: string | undefined, token: string): boolean =>
  isSameText(header, `Bearer ${token}`)

/** A workspace that a user is a member of. */
export interface Membership {
  readonly workspaceUuid: string
  readonly role: Role
  /** The workspace requires a second factor, and the user has none. */
  readonly lacksSecondFactor?: true
}

/** Stored with a background job: whose right it runs under. */
export const jobCallerOf = (caller: Caller): JobCaller => ({
  workspace_uuid: caller.workspaceUuid,
  created_by: personOf(caller) ?? null,
  credential_kind: caller.kind === 'session' ? null : caller.kind,
  credential_uuid: caller.kind === 'session' ? null : caller.uuid,
})

/** The reverse of `jobCallerOf`; the scopes of a key or token are in its own row. */
export const callerOfJob = (job: JobCaller): Caller => ({
  kind: job.credential_kind ?? 'session',
  uuid: job.credential_uuid ?? '',
  userUuid: job.created_by ?? '',
  workspaceUuid: job.workspace_uuid,
})
