import type { Flag } from './flag.ts'

export interface SchemaMigrationRow {
  name: string
  applied_at: number
  /** Of the statements that it ran. */
  checksum: string | null
}

export interface SequenceRow {
  name: string
  value: number
}

export interface UsedSignatureRow {
  /** A keyed hash of the API key and the signature. */
  hash: string
  expires_at: number
}

export interface IdempotencyRow {
  workspace_uuid: string
  /** The user whose key, token or session it is. */
  user_uuid: string
  unsigned: Flag
  operation: string
  key: string
  digest: string
  state: 'running' | 'done'
  status: number | null
  body: string | null
  claimed_at: number
  expires_at: number
}

/** A block that an operator has set. */
export interface BlockRow {
  /** What is blocked: the uuid of a link or an account, or the host of destinations. */
  subject: string
  kind: 'link' | 'host' | 'user'
  reason: string | null
  created_at: number
}

/** A key that must outlive a change of the secret, sealed with the secret. */
export interface KeptKeyRow {
  name: string
  sealed: string
}

export interface TotalRow {
  workspace_uuid: string
  resource: string
  total: number
}

export interface BlobRow {
  hash: string
  bytes: number
  width: number | null
  height: number | null
  created_at: number
}

export interface BlobRefRow {
  hash: string
  owner: string
  workspace_uuid: string | null
  /** Of files that belong to a user: the picture of the profile, files with feedback. */
  user_uuid: string | null
  created_at: number
}

/** Keyed hash of a short code or slug that was erased: it returns 410 and is never reused. */
export interface TombstoneRow {
  hash: string
  created_at: number
}

/** Who does something that one process at a time may do; every beat says that the holder still lives. */
export interface LeaseRow {
  name: string
  /** Empty: no process. */
  holder: string
  beat: number
}

export interface JobRunRow {
  name: string
  started_at: number
  /** Null while it runs, and after it failed or its process died. */
  ended_at: number | null
}
