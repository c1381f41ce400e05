import type { Role } from '@waymark/contract'
import type { Flag } from './flag.ts'

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
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
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
  user_agent: string | null
  created_at: number
  last_used_at: number
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
  /** Where visitors are sent from the root, and in place of the notices for unknown and for expired links. */
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
