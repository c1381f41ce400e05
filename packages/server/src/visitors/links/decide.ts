import type { StoredPreview } from '../../storage/db/tables.ts'
import { forwardPath, forwardQuery, isForwardable } from './forwarding.ts'
import { isPreviewFetcher } from './preview-fetchers.ts'
import type { Routing } from './routing.ts'
import type { Visitor } from './visitor.ts'

export type RedirectStatus = 301 | 302 | 307 | 308

/** Settings that only some links have. */
export interface Extras {
  readonly startsAtMs: number | null
  readonly maxClicks: number | null
  readonly passwordHash: string | null
  /** Null: every visitor is sent to the same stored destination. */
  readonly routing: Routing | null
  /** What link-preview bots get instead of the redirect. */
  readonly preview: StoredPreview | null
}

/** The destination of a code. Hundreds of thousands are cached, so it contains only what is needed. */
export interface Target {
  readonly linkId: string
  readonly url: string
  readonly status: RedirectStatus
  readonly expiresAtMs: number | null
  /** The link or its account was deleted. */
  readonly removed: boolean
  readonly extras: Extras | null
}

/** The destination of a visitor, and what chose it. */
export interface Redirect {
  readonly kind: 'redirect'
  readonly target: Target
  readonly url: string
  /** The URL without the visitor's path and parameters. */
  readonly plainUrl: string
  /** The rule that chose the destination: its index in the list, or `ios` or `android`. */
  readonly rule: string | undefined
  /** The name of the variant that was chosen. */
  readonly variant: string | undefined
}

export type Outcome =
  | Redirect
  | { readonly kind: 'limit'; readonly target: Target; readonly maxClicks: number }
  | { readonly kind: 'preview'; readonly target: Target; readonly preview: StoredPreview }
  | { readonly kind: 'password'; readonly target: Target; readonly passwordHash: string }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'notYet' }

/** Checks that need the database or input of the visitor, in the order in which they are done. */
export const NOTHING_SETTLED = 0
export const LIMIT_SETTLED = 1
export const PASSWORD_SETTLED = 2
type Settled = typeof NOTHING_SETTLED | typeof LIMIT_SETTLED | typeof PASSWORD_SETTLED

const NOT_FOUND = { kind: 'notFound' } as const
const GONE: Outcome = { kind: 'gone' }
const EXPIRED: Outcome = { kind: 'expired' }
const BLOCKED_OUTCOME: Outcome = { kind: 'blocked' }
const NOT_YET: Outcome = { kind: 'notYet' }

/** A code that existed and will never be used again. */
export const REMOVED: Target = {
  linkId: '',
  url: '',
  status: 302,
  expiresAtMs: null,
  removed: true,
  extras: null,
}

/** A code of a link that an operator has blocked. */
export const BLOCKED: Target = { ...REMOVED }

/**
 * The only place that decides what happens to a visit. It runs for every request, because a cached target may have expired
 * since it was read.
 */
export function decide(
  target: Target | null,
  visitor: Visitor,
  nowMs: number,
  settled: Settled = NOTHING_SETTLED,
): Outcome {
  if (target === null) return NOT_FOUND
  if (target === BLOCKED) return BLOCKED_OUTCOME
  if (target.removed) return GONE
  const { extras } = target
  if (visitor.rest !== '' && !takesPath(extras, visitor.rest)) return NOT_FOUND
  if (extras !== null && extras.startsAtMs !== null && nowMs < extras.startsAtMs) return NOT_YET
  if (target.expiresAtMs !== null && target.expiresAtMs <= nowMs) return EXPIRED
  if (extras === null) return plainRedirect(target)
  const { maxClicks, passwordHash, preview } = extras
  if (maxClicks !== null && settled < LIMIT_SETTLED) return { kind: 'limit', target, maxClicks }
  if (preview !== null && isPreviewFetcher(visitor.headers['user-agent']))
    return { kind: 'preview', target, preview }
  if (passwordHash !== null && settled < PASSWORD_SETTLED) return { kind: 'password', target, passwordHash }
  return route(target, visitor, nowMs)
}

/** Whether an outcome needs the database, a form or a page, which the hot path does not handle. */
export function takesMore(
  outcome: Outcome,
): outcome is Extract<Outcome, { kind: 'limit' | 'password' | 'preview' }> {
  return outcome.kind === 'limit' || outcome.kind === 'password' || outcome.kind === 'preview'
}

/** A link has no paths below it unless it forwards them. */
const takesPath = (extras: Extras | null, rest: string): boolean =>
  extras?.routing?.forwardsPath === true && isForwardable(rest)

function plainRedirect(target: Target): Redirect {
  const { url } = target
  return { kind: 'redirect', target, url, plainUrl: url, rule: undefined, variant: undefined }
}

/**
 * The destination for a visitor who may pass: of the first rule that matches, else of the variant, else of the link. Then
 * the visitor's path is added, then the parameters.
 */
export function route(target: Target, visitor: Visitor, nowMs: number): Redirect | typeof NOT_FOUND {
  const routing = target.extras?.routing ?? null
  if (routing === null) return plainRedirect(target)
  const chosen = routing.rules?.choose(visitor, nowMs)
  const variant = chosen === undefined ? routing.variants?.choose(target.linkId, visitor) : undefined
  const plainUrl = chosen?.url ?? variant?.url ?? target.url
  const url = visitor.rest === '' ? plainUrl : forwardPath(plainUrl, visitor.rest)
  if (url === undefined) return NOT_FOUND
  return {
    kind: 'redirect',
    target,
    url: routing.forwardsQuery ? forwardQuery(url, visitor.query) : url,
    plainUrl,
    rule: chosen?.name,
    variant: variant?.name,
  }
}
