import type { Role } from '@waymark/contract'
import type { SecurityEventKind } from '@waymark/contract/schemas'

export interface UserRow {
  uuid: string
  email: string
  password_hash: string
  first_name: string | null
  last_name: string | null
  phone: string | null
  address: string | null
  image_hash: string | null
  /** When the email address was confirmed; null while it is not. */
  confirmed_at: number | null
  created_at: number
  updated_at: number
  removed_at: number | null
}

export interface WorkspaceRow {
  /** Of a user's first workspace: the user's. */
  uuid: string
  name: string
  /** Colours and the hash of the logo, as JSON. */
  brand_kit: string | null
  plan: string
  plan_started_at: number
  require_second_factor: Flag
  created_at: number
  updated_at: number
  removed_at: number | null
}

export interface MemberRow {
  workspace_uuid: string
  user_uuid: string
  role: Role
  created_at: number
}

export interface InvitationRow {
  uuid: string
  workspace_uuid: string
  email: string
  role: Role
  token_hash: string
  created_by: string | null
  created_at: number
  expires_at: number
}

export interface TokenRow {
  uuid: string
  workspace_uuid: string
  token_hash: string
  name: string | null
  /** A JSON list; null: everything. */
  scopes: string | null
  expires_at: number | null
  /** A JSON list of CIDR ranges; null: every address. */
  allowed_addresses: string | null
  created_by: string | null
  /** Created on the command line: it acts as owner, whatever role its user has. */
  by_operator: Flag
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}

/** The statistics of a link or page that have a public address. */
export interface SharedStatisticsRow {
  /** Of the link or page. */
  uuid: string
  workspace_uuid: string
  /** The same uuid again, so that the row goes with what it is about. */
  link_uuid: string | null
  page_uuid: string | null
  token_hash: string
  token_sealed: string
  expires_at: number | null
  created_by: string | null
  created_at: number
}

export interface AuditLogRow {
  uuid: string
  workspace_uuid: string
  created_at: number
  actor: 'user' | 'key' | 'token' | 'command_line' | 'system'
  /** The uuid of the key or token. */
  credential_uuid: string | null
  /** The user it stands for. */
  user_uuid: string | null
  operation: string
  /** Up to 20 uuids, as JSON; `resource_count` counts all. */
  resources: string
  resource_count: number
  /** The names of the changed fields, as JSON. */
  fields: string
  /** Values of roles and scopes, as JSON. */
  details: string | null
  /** How many requests were rejected within the hour; 0: the entry of a change. */
  rejected: number
  address: string | null
  request_id: string | null
}

export interface ApiKeyRow {
  uuid: string
  workspace_uuid: string
  api_key: string
  secret_sealed: string
  name: string | null
  /** Null: everything, unless `scopes` says otherwise. */
  scope: 'read' | null
  /** A JSON list; null: everything that `scope` allows. */
  scopes: string | null
  signature_required: Flag
  expires_at: number | null
  /** A JSON list of CIDR ranges; null: every address. */
  allowed_addresses: string | null
  created_by: string | null
  /** Created on the command line: it acts as owner, whatever role its user has. */
  by_operator: Flag
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}

export interface SessionRow {
  uuid: string
  user_uuid: string
  token_hash: string
  previous_token_hash: string | null
  rotated_at: number
  /** When the user last proved who they are. */
  proved_at: number
  user_agent: string | null
  /** Where it began: an ISO code, as far as the address told. */
  country: string | null
  created_at: number
  last_used_at: number
  expires_at: number
}

export interface SecurityEventRow {
  uuid: string
  user_uuid: string
  kind: SecurityEventKind
  detail: string | null
  user_agent: string | null
  country: string | null
  /** How often: failed sign-ins of one hour are one row. */
  count: number
  created_at: number
}

export interface TotpFactorRow {
  user_uuid: string
  /** In base 32, sealed. */
  secret_sealed: string
  /** The 30-second step of the last code that was used. */
  last_step: number
  created_at: number
  /** Null until the first code was right. */
  confirmed_at: number | null
}

export interface RecoveryCodeRow {
  user_uuid: string
  code_hash: string
}

/** A sign-in whose password was right and whose second factor is awaited. */
export interface SignInChallengeRow {
  token_hash: string
  /** What it waits for: a second factor, or the user who got the link of an operator. */
  kind: 'factor' | 'link'
  user_uuid: string
  /** How the sign-in began that waits for a second factor. */
  first_step: string | null
  expires_at: number
}

export interface PasskeyRow {
  uuid: string
  user_uuid: string
  /** In base64url. */
  credential_id: string
  /** COSE, in base64url. */
  public_key: string
  counter: number
  /** A JSON list. */
  transports: string
  /** The host that it works for. */
  rp_id: string
  name: string
  created_at: number
  last_used_at: number | null
}

/** An identity at an OpenID provider that signs its user in. */
export interface IdentityRow {
  uuid: string
  user_uuid: string
  issuer: string
  subject: string
  /** As the provider gave it, for people to tell identities apart. */
  email: string | null
  created_at: number
  last_used_at: number | null
}

export interface UsedChallengeRow {
  hash: string
  expires_at: number
}

export interface PasswordResetRow {
  token_hash: string
  user_uuid: string
  expires_at: number
}

export interface EmailConfirmationRow {
  token_hash: string
  user_uuid: string
  /** The address that the token confirms; another than the account's while a change waits. */
  email: string
  /** Of a change: the token that cancels it, as a hash. */
  cancel_hash: string | null
  expires_at: number
}

export interface FeedbackRow {
  uuid: string
  user_uuid: string
  feedback: string
  image_hash: string | null
  created_at: number
}

export interface RemovalReasonRow {
  uuid: string
  reason: string
  created_at: number
}

export interface ErasureRow {
  workspace_uuid: string
  /** The user it is removed with, if it is. */
  user_uuid: string | null
  requested_at: number
}

export interface InvoiceRow {
  uuid: string
  number: string
  /** Null once its account is removed: the law keeps the invoice, not the person. */
  workspace_uuid: string | null
  period_start: number
  period_end: number
  issued_at: number
  document: string
}

/** An account that wants to use a domain and has not proven it yet. */
export interface DomainClaimRow {
  uuid: string
  name: string
  workspace_uuid: string
  /** The value of the TXT record that proves the claim. */
  token: string
  /** What the domain is to have once it is proven. */
  ignore_case: Flag
  created_at: number
  updated_at: number
}

/** A proven domain. Without a token an operator added it. */
export interface DomainRow {
  /** That of the claim it was proven with. */
  uuid: string
  name: string
  /** Null: everyone may use it. */
  workspace_uuid: string | null
  token: string
  verified_at: number | null
  created_at: number
  updated_at: number
  /** Where visitors are sent from the root, and instead of the notices for unknown and for expired links. */
  root_url: string | null
  not_found_url: string | null
  expired_url: string | null
  /** How the pages for visitors look. */
  brand_name: string | null
  brand_color: string | null
  logo_hash: string | null
  /** Its short codes are stored and looked up in lower case. */
  ignore_case: Flag
  /** Whether it ever had a short code: from then on `ignore_case` stays as it is. */
  has_codes: Flag
}

/** No or yes, as both engines keep it. */
export type Flag = 0 | 1

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

export interface WebhookRow {
  uuid: string
  workspace_uuid: string
  url: string
  description: string | null
  /** JSON list of event types; null: all of them. */
  events: string | null
  enabled: Flag
  /** Why it was switched off automatically; null otherwise. */
  disabled_reason: string | null
  /** The first failure after which nothing has arrived. */
  failing_since: number | null
  secret_sealed: string
  /** The secret before the last change, which signs as well until it lapses. */
  previous_secret_sealed: string | null
  previous_secret_until: number | null
  /** 1: it receives `link.clicked`. */
  wants_clicks: 1 | null
  /** The last delivery of clicks; the next one waits for its end. */
  clicks_delivery_uuid: string | null
  created_by: string | null
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: it was not. */
  trashed_at: number
}

/** An event on its way to one webhook; written together with the change that it reports. */
export interface WebhookDeliveryRow {
  uuid: string
  webhook_uuid: string
  workspace_uuid: string
  type: string
  /** What is sent and signed, byte for byte the same in every attempt. */
  body: string
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** When it is to be sent; while it is being sent, when others may conclude that its sender died. Null: ended. */
  due_at: number | null
  /** The last response of the receiver. */
  status: number | null
  error: string | null
  created_at: number
  last_attempt_at: number | null
  ended_at: number | null
}

/** Clicks that wait to be sent to one webhook; written in the transaction that counts them. */
export interface WebhookClicksRow {
  uuid: string
  webhook_uuid: string
  workspace_uuid: string
  count: number
  /** JSON list of clicks, not of all when they are many. */
  clicks: string
}
