export type RedirectStatus = 301 | 302 | 307 | 308

/** What needs more than a look at the target before somebody may be sent there. */
export interface Rules {
  readonly passwordHash: string | null
  readonly maxClicks: number | null
  readonly iosUrl: string | null
  readonly androidUrl: string | null
}

/** Where a code leads. Kept in memory by the hundred thousand, so it holds nothing it can do without. */
export interface Target {
  readonly linkId: string
  readonly url: string
  readonly status: RedirectStatus
  readonly expiresAtMs: number | null
  /** The link, or the account it belonged to, is no more. */
  readonly removed: boolean
  readonly rules: Rules | null
}

export type Outcome =
  | { readonly kind: 'redirect'; readonly target: Target }
  | { readonly kind: 'thought'; readonly target: Target; readonly rules: Rules }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'expired' }

const NOT_FOUND: Outcome = { kind: 'notFound' }
const GONE: Outcome = { kind: 'gone' }
const EXPIRED: Outcome = { kind: 'expired' }

/** A code that led somewhere once and will never lead anywhere again. */
export const REMOVED: Target = {
  linkId: '',
  url: '',
  status: 302,
  expiresAtMs: null,
  removed: true,
  rules: null,
}

/** Judged anew for every request: a cached target may have expired since it was read. */
export function decide(target: Target | null, nowMs: number): Outcome {
  if (target === null) return NOT_FOUND
  if (target.removed) return GONE
  if (target.expiresAtMs !== null && target.expiresAtMs <= nowMs) return EXPIRED
  if (target.rules !== null) return { kind: 'thought', target, rules: target.rules }
  return { kind: 'redirect', target }
}
