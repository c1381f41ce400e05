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
  /** When the email address was confirmed; null if it is not. */
  confirmed_at: number | null
  created_at: number
  updated_at: number
  removed_at: number | null
}

export interface WorkspaceRow {
  /** The workspace that signing up creates has the uuid of the user. */
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
  /** The key or token that created it, which it ends with. */
  credential_uuid: string | null
  created_at: number
  expires_at: number
}

export interface TokenRow {
  uuid: string
  workspace_uuid: string
  token_hash: string
  name: string | null
  /** JSON list; null: all scopes. */
  scopes: string | null
  expires_at: number | null
  /** JSON list of CIDR ranges; null: every address. */
  allowed_addresses: string | null
  created_by: string | null
  /** Created on the command line: it acts as owner, whatever role its user has. */
  by_operator: Flag
  /** Its creator was removed with this role, and it was kept: it acts with this role and has no creator. */
  kept_role: Role | null
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}

/** Statistics of a link or page that are shared at a public address. */
export interface SharedStatisticsRow {
  /** The uuid of the link or page. */
  uuid: string
  workspace_uuid: string
  /** The same uuid again, so that the row is deleted with the link or page. */
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
  /** The user that the credential belongs to. */
  user_uuid: string | null
  operation: string
  /** Up to 20 uuids as JSON; `resource_count` counts all. */
  resources: string
  resource_count: number
  /** The names of the changed fields as JSON. */
  fields: string
  /** Values of roles and scopes as JSON. */
  details: string | null
  /** Number of rejected requests within the hour; 0 for entries of changes. */
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
  /** Null: no restriction except `scopes`. */
  scope: 'read' | null
  /** JSON list; null: all that `scope` allows. */
  scopes: string | null
  signature_required: Flag
  expires_at: number | null
  /** JSON list of CIDR ranges; null: every address. */
  allowed_addresses: string | null
  created_by: string | null
  /** Created on the command line: it acts as owner, whatever role its user has. */
  by_operator: Flag
  /** Its creator was removed with this role, and it was kept: it acts with this role and has no creator. */
  kept_role: Role | null
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
  /** When the user last proved their identity. */
  proved_at: number
  user_agent: string | null
  /** Country where the session began, as an ISO code, if known. */
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
  /** Number of events: failed sign-ins of one hour share a row. */
  count: number
  created_at: number
}

export interface TotpFactorRow {
  user_uuid: string
  /** Base 32, sealed. */
  secret_sealed: string
  /** The 30-second step of the last code used. */
  last_step: number
  created_at: number
  /** Null until the first correct code. */
  confirmed_at: number | null
}

export interface RecoveryCodeRow {
  user_uuid: string
  code_hash: string
}

/** Wrong codes of a second factor in the current hour or day. */
export interface CodeTriesRow {
  user_uuid: string
  trier: 'session' | 'known_browser' | 'stranger'
  period: 'hour' | 'day'
  began_at: number
  count: number
}

/** A sign-in that waits for a second factor after a correct password. */
export interface SignInChallengeRow {
  token_hash: string
  /** What it waits for: a second factor, or the user who has received an operator's link. */
  kind: 'factor' | 'link'
  user_uuid: string
  /** The first step of a sign-in that waits for a second factor. */
  first_step: string | null
  expires_at: number
}

export interface PasskeyRow {
  uuid: string
  user_uuid: string
  /** Base64url. */
  credential_id: string
  /** COSE key, base64url. */
  public_key: string
  counter: number
  /** JSON list. */
  transports: string
  /** The host that it is valid for. */
  rp_id: string
  name: string
  created_at: number
  last_used_at: number | null
}

/** An identity at an OpenID provider with which a user signs in. */
export interface IdentityRow {
  uuid: string
  user_uuid: string
  issuer: string
  subject: string
  /** As the provider reported it, so that people can distinguish identities. */
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
  /** The address that the token confirms; differs from the account's address for a pending change. */
  email: string
  /** Only for a change: hash of the token that cancels it. */
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
  /** The user that is deleted with it; null for a workspace only. */
  user_uuid: string | null
  requested_at: number
}

export interface InvoiceRow {
  uuid: string
  number: string
  /** Null after its account is deleted: the invoice must be kept by law, the person's data not. */
  workspace_uuid: string | null
  period_start: number
  period_end: number
  issued_at: number
  document: string
}

/** A workspace that wants to use a domain but has not proven it yet. */
export interface DomainClaimRow {
  uuid: string
  name: string
  workspace_uuid: string
  /** The value of the TXT record that proves the claim. */
  token: string
  /** Settings that the domain gets when it is proven. */
  ignore_case: Flag
  created_at: number
  updated_at: number
}

/** A proven domain. It has no token if an operator added it. */
export interface DomainRow {
  /** The uuid of its claim. */
  uuid: string
  name: string
  /** Null: all workspaces may use it. */
  workspace_uuid: string | null
  token: string
  verified_at: number | null
  created_at: number
  updated_at: number
  /** Redirects for the root, and instead of the notices for unknown and expired links. */
  root_url: string | null
  not_found_url: string | null
  expired_url: string | null
  /** Look of the pages for visitors. */
  brand_name: string | null
  brand_color: string | null
  logo_hash: string | null
  /** Short codes are stored and looked up in lower case. */
  ignore_case: Flag
  /** Whether it has ever had a short code: after that, `ignore_case` cannot change. */
  has_codes: Flag
}

/** A boolean, as both engines store it. */
export type Flag = 0 | 1

export interface SchemaMigrationRow {
  name: string
  applied_at: number
  /** Checksum of the statements that it ran. */
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
  /** The user that the key, token or session belongs to. */
  user_uuid: string
  unsigned: Flag
  operation: string
  key: string
  digest: string
  needs: string | null
  state: 'running' | 'done'
  status: number | null
  body: string | null
  claimed_at: number
  expires_at: number
}

/** A block that an operator has set. */
export interface BlockRow {
  /** What is blocked: the uuid of a link or account, or the host of destinations. */
  subject: string
  kind: 'link' | 'host' | 'user'
  reason: string | null
  created_at: number
}

/** A key that does not change with the secret, sealed with it. */
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
  /** For files of a user: profile picture, attachments of feedback. */
  user_uuid: string | null
  created_at: number
}

/** Keyed hash of an erased short code or slug: it returns 410 and is never reused. */
export interface TombstoneRow {
  hash: string
  created_at: number
}

/** The process that may do something exclusively. It renews the row while it is alive. */
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
  /** JSON list of event types; null: all. */
  events: string | null
  enabled: Flag
  /** Why it was disabled automatically; null otherwise. */
  disabled_reason: string | null
  /** When deliveries began to fail; null after a success. */
  failing_since: number | null
  secret_sealed: string
  /** The secret before the last change, which also signs until it expires. */
  previous_secret_sealed: string | null
  previous_secret_until: number | null
  /** 1: it receives `link.clicked`. */
  wants_clicks: 1 | null
  /** The last delivery of clicks; the next one waits until it has ended. */
  clicks_delivery_uuid: string | null
  created_by: string | null
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: not in the trash. */
  trashed_at: number
}

/** An event to deliver to one webhook; written together with the change that it reports. */
export interface WebhookDeliveryRow {
  uuid: string
  webhook_uuid: string
  workspace_uuid: string
  type: string
  /** The body, which is sent and signed unchanged in every attempt. */
  body: string
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** When to send it. During an attempt: when others may assume that its sender has died. Null: finished. */
  due_at: number | null
  /** Status of the receiver's last response. */
  status: number | null
  error: string | null
  created_at: number
  last_attempt_at: number | null
  ended_at: number | null
}

/** Clicks waiting to be sent to one webhook; written in the transaction that counts them. */
export interface WebhookClicksRow {
  uuid: string
  webhook_uuid: string
  workspace_uuid: string
  count: number
  /** JSON list of clicks; incomplete if there are many. */
  clicks: string
}

/** The columns of a background job that say under whose right it runs. */
export interface JobCaller {
  workspace_uuid: string
  created_by: string | null
  /** The key or token that started it; null: a session, which may end before the job. */
  credential_kind: 'key' | 'token' | null
  credential_uuid: string | null
}
