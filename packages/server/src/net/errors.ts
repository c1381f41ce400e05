import type { FieldErrors } from '@waymark/contract/schemas'

/** Every error of the service: one table of code → status → text. */
const table = {
  key_missing: [401, 'API key missing'],
  key_invalid: [401, 'Invalid API key'],
  signature_missing: [401, 'Signature missing'],
  timestamp_missing: [401, 'Timestamp missing'],
  timestamp_invalid: [401, 'Timestamp invalid'],
  timestamp_expired: [401, 'Timestamp expired'],
  signature_invalid: [401, 'Invalid signature'],
  signature_used: [401, 'Signature already used'],
  token_unknown: [401, 'Invalid access token'],
  session_missing: [401, 'Sign in first'],
  sign_in_failed: [401, 'The email or the password is wrong'],
  challenge_invalid: [401, 'This sign-in has expired; enter your password again'],
  second_factor_failed: [401, 'The code is wrong or was already used'],
  oidc_failed: [401, 'The response of the sign-in provider is not valid; start again'],
  oidc_stale: [
    401,
    'The sign-in provider did not say that you have signed in again; confirm another way, or sign out and in',
  ],
  oidc_denied: [401, 'The sign-in provider did not sign you in; try again, or sign in another way'],
  oidc_expired: [401, 'This sign-in has expired or was used; start again'],
  passkey_failed: [401, 'This passkey is not valid here; sign in another way'],

  malformed: [400, 'The request could not be read'],
  cursor_invalid: [400, 'The cursor is not valid; send the next_cursor of the previous page'],
  quota_reached: [402, 'The quota of the plan is reached'],
  cross_origin: [403, 'Writes with a session cookie must come from the dashboard itself'],
  email_unconfirmed: [403, 'Confirm your email address first'],
  role_missing: [403, 'Your role in this workspace does not allow this'],
  scope_missing: [403, 'This key or token lacks a scope'],
  key_not_personal: [403, 'Only a key of your first workspace can do this'],
  key_without_user: [403, 'This belongs to no user: it was kept when its creator was removed'],
  account_suspended: [403, 'This account is suspended'],
  second_factor_required: [403, 'This workspace needs a second factor; set one up under Settings, Security'],
  identity_unknown: [
    403,
    'This identity is not linked to an account. Sign in and link it under Settings, Security',
  ],
  password_sign_in_off: [403, 'Signing in with a password is switched off on this instance'],
  signup_closed: [403, 'Sign-up is closed on this instance'],
  invitation_invalid: [403, 'This invitation is no longer valid; ask for a new one'],
  reauthenticate: [403, 'Confirm that it is you'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  too_slow: [408, 'The body arrived too slowly'],
  last_owner: [409, 'A workspace needs an owner; make another member owner first'],
  member_already: [409, 'This user is a member already'],
  invited_already: [409, 'This address is invited already; withdraw the invitation first'],
  too_many_workspaces: [409, 'You can be a member of 50 workspaces; leave one first'],
  workspaces_left: [409, 'Some workspaces would be left without an owner; make another member owner first'],
  conflict: [409, 'This was changed by another request at the same time; try again'],
  code_taken: [409, 'This short code is taken'],
  slug_taken: [409, 'This slug is taken'],
  email_taken: [409, 'This email is taken'],
  domain_taken: [409, 'This domain is taken'],
  email_confirmed: [409, 'This email address is already confirmed'],
  totp_present: [409, 'An authenticator app is already set up; remove it first'],
  totp_absent: [409, 'Set up an authenticator app first'],
  factor_absent: [409, 'Set up a second factor first'],
  oidc_off: [409, 'This instance has no sign-in provider'],
  identity_present: [409, 'This identity is linked to an account already'],
  too_many_identities: [409, 'An account can have 10 linked identities; remove one first'],
  last_way_in: [409, 'You could no longer sign in; set a password or add a passkey first'],
  passkeys_unavailable: [409, 'This instance cannot use passkeys'],
  passkey_present: [409, 'This passkey is stored already'],
  too_many_passkeys: [409, 'An account can have 20 passkeys; remove one first'],
  too_many_claims: [409, 'At most 20 domains can wait for verification; verify or remove one first'],
  domain_had_codes: [409, 'This domain has had short codes; ignore_case can no longer be changed'],
  domain_in_use: [409, 'This domain is in use'],
  too_many_webhooks: [409, 'An account can have 10 webhooks; remove one first'],
  too_many_shared: [409, 'A workspace can share 100 statistics; stop sharing one first'],
  webhook_disabled: [409, 'This webhook is disabled; enable it first'],
  too_many_imports: [409, 'Three imports are already running; wait for one to finish, or undo one'],
  too_many_bulk_edits: [409, 'Three bulk edits are already running; wait for one to finish'],
  bulk_edit_state: [409, 'This bulk edit can no longer be undone'],
  import_state: [409, 'This import cannot be changed in its current state'],
  link_owned: [409, 'This belongs to another resource; change that resource instead'],
  version_outdated: [412, 'This was changed since you read it; read it again and repeat your changes'],
  too_large: [413, 'The body is too large'],
  unsupported_type: [415, 'Send application/json, multipart/form-data or application/x-www-form-urlencoded'],
  validation: [422, 'Some fields are not valid'],
  idempotency_mismatch: [422, 'This Idempotency-Key was used with another payload'],
  token_invalid: [422, 'This link is no longer valid; request a new one'],
  rate_limited: [429, 'Too many requests; wait and try again'],
  internal: [500, 'Internal server error'],
  disk_full: [503, 'The disk is nearly full; try again later'],
  busy: [503, 'The server is busy; try again shortly'],
  file_missing: [503, 'A stored file is missing; ask the operator to run waymark doctor'],
  clicks_unavailable: [503, 'Clicks cannot be read at the moment; try again shortly'],
  clicks_elsewhere: [503, 'Clicks of this period are in ClickHouse, and CLICKS_URL is not set'],
  oidc_unavailable: [503, 'The sign-in provider does not respond; try again shortly, or sign in another way'],
  unavailable: [503, 'The database cannot be reached; try again shortly'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof table

export interface Details {
  readonly message?: string
  readonly errors?: FieldErrors
  /** Additional fields of the response. */
  readonly extra?: Record<string, unknown>
  readonly headers?: Record<string, string>
  readonly cause?: unknown
}

/** When to try again, for errors that do not know it better. */
const RETRY_SECONDS = '5'

/** An error with the text of the response. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly errors: FieldErrors | undefined
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, details: Details = {}) {
    const [status, text] = table[code]
    super(details.message ?? text, { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.errors = details.errors
    this.extra = details.extra ?? {}
    this.headers = { ...(status === 503 && { 'retry-after': RETRY_SECONDS }), ...details.headers }
  }

  get body(): Record<string, unknown> {
    return { error: this.message, ...(this.errors && { errors: this.errors }), ...this.extra }
  }
}

/** A validation error about one field. */
export const fieldError = (field: string, sentence: string, code: ErrorCode = 'validation'): AppError =>
  new AppError(code, { errors: { [field]: [sentence] } })

/** Collects the invalid fields that checks report. */
export async function invalidFields(...checks: readonly (() => unknown)[]): Promise<FieldErrors> {
  const invalid: FieldErrors = {}
  for (const check of checks) {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'validation') throw error
      Object.assign(invalid, error.errors)
    }
  }
  return invalid
}

/** Rejects a request if any of its fields is invalid. */
export const rejectInvalid = (errors: FieldErrors): void => {
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors })
}

/** Prefixes the fields of an error with the place of the part that has them. */
export const atPlace = (error: unknown, place: string): unknown => {
  if (!(error instanceof AppError) || error.errors === undefined) return error
  const errors = Object.fromEntries(
    Object.entries(error.errors).map(([field, texts]) => [`${place}.${field}`, texts]),
  )
  return new AppError(error.code, { errors })
}

/** A command of an operator failed; the message is the one line that is printed. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
