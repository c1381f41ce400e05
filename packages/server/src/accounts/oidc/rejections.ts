import type { Logger } from 'pino'
import { AppError, type Details, type ErrorCode } from '../../net/errors.ts'

/** For each reason: the response, and the sentence of the log line. */
export const rejections = {
  request_missing: ['oidc_expired', 'the browser has no cookie of a sign-in that it began here'],
  request_expired: ['oidc_expired', 'the user took longer than 10 minutes'],
  request_used: ['oidc_expired', 'the response was used before'],
  purpose_wrong: ['oidc_expired', 'the response belongs to another purpose or session'],
  state_wrong: ['oidc_expired', 'the state is not the one that was sent to the provider'],
  access_denied: ['oidc_denied', 'the user or the provider denied access'],
  provider_error: ['oidc_denied', 'the provider responded with an error'],
  provider_unavailable: ['oidc_unavailable', 'the provider could not be reached'],
  token_error: ['oidc_failed', 'the provider did not exchange the code for a token'],
  response_invalid: ['oidc_failed', 'the response of the provider is not valid'],
  issued_in_future: ['oidc_failed', 'iat is more than 60 seconds in the future'],
  signed_in_in_future: ['oidc_failed', 'auth_time is more than 60 seconds in the future'],
  not_signed_in_again: ['oidc_stale', 'auth_time does not say that the user signed in again'],
  identity_of_another: ['validation', 'the identity is not linked to the account of this session'],
  sign_up_off: ['identity_unknown', 'the identity is not linked, and OIDC_SIGNUP is off'],
  email_invalid: ['identity_unknown', 'the provider sent no valid email address for a new account'],
  domain_not_allowed: ['identity_unknown', 'the domain of the email address is not in OIDC_DOMAINS'],
  email_unverified: ['identity_unknown', 'the provider has not verified the email address'],
  email_taken: ['identity_unknown', 'another account has the email address; link the identity to it'],
} as const satisfies Record<string, readonly [ErrorCode, string]>

export type RejectionReason = keyof typeof rejections

const MAX_DETAIL_CHARS = 500

/** A rejected single sign-on: a response that does not say more than it should, and a reason for the log. */
export class OidcRejection extends AppError {
  readonly reason: RejectionReason

  constructor(reason: RejectionReason, details: Details = {}) {
    super(rejections[reason][0], details)
    this.reason = reason
  }
}

/**
 * Every single sign-on runs in here. Writes one log line if it is rejected, with the code of the response as the reason if
 * other parts of the server reject it. Errors that are not rejections are logged as for all requests.
 */
export async function logRejection<T>(
  log: Pick<Logger, 'warn'>,
  purpose: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const isOwn = error instanceof OidcRejection
    const reason = isOwn ? error.reason : error.code
    const why = isOwn ? rejections[error.reason][1] : error.message
    const detail = detailOf(error.cause)
    log.warn({ reason, purpose, ...(detail !== '' && { detail }) }, `a single sign-on was rejected: ${why}`)
    throw error
  }
}

/**
 * The messages of an error and its causes, and the provider's message. Causes of the library that are not errors contain codes
 * and claims, which do not belong in a log.
 */
function detailOf(cause: unknown): string {
  const parts: string[] = []
  let at = cause
  for (; at instanceof Error; at = at.cause) {
    const { error: code, error_description: description } = at as Error & Record<string, unknown>
    const said = [code, description].filter((each) => typeof each === 'string')
    parts.push(said.length === 0 ? at.message : `${at.message} (${said.join(': ')})`)
  }
  if (at instanceof Response) parts.push(String(at.status))
  return withoutAddresses(parts.join(': ').slice(0, MAX_DETAIL_CHARS))
}

/** Providers name the user in their messages. */
const withoutAddresses = (text: string): string =>
  text
    .split(/(\s+)/)
    .map((word) => (ADDRESS.test(word) ? '…' : word))
    .join('')

/** Part of an email address, also percent-encoded, or of an IP address. */
const ADDRESS = /@|＠|%40|\d\.\d{1,3}\.\d{1,3}\.\d|:[\da-f]{0,4}:/i
