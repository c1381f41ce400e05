/* Handles visits that need more than a redirect: preview cards, `/{code}+`, and in the API half passwords and click limits. */
import type { IncomingHttpHeaders } from 'node:http'
import type { HostNotices } from '../notices/host-notices.ts'
import {
  limitedPage,
  passwordPage,
  previewPage,
  reportedPage,
  tooManyTriesPage,
} from '../notices/link-notices.ts'
import { jsonNotice, type Notice, type NoticeKind, wantsJson } from '../notices/notices.ts'
import {
  decide,
  endOf,
  LIMIT_SETTLED,
  type Outcome,
  PASSWORD_SETTLED,
  type Redirect,
  route,
  takesMore,
  type Target,
} from './decide.ts'
import { clickOf, type ClickSink, noticeOf, redirectHeaders, varyOf } from './plain-visits.ts'
import type { CardOf } from './preview-cards.ts'
import { onlyLooks } from './preview-fetchers.ts'
import type { TargetFinder } from './target-finder.ts'
import type { ShortCodePath } from './target-path.ts'
import type { Visitor } from './visitor.ts'

/** A visit with the fields of its form. */
export interface Visit {
  readonly method: string
  readonly path: ShortCodePath
  /** The part after the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** The field `password` of a submitted form. */
  readonly password: string | undefined
  /** The field `reason` of a form that reports a link. */
  readonly reason?: string | undefined
}

export interface LinkVisitDependencies {
  readonly targets: TargetFinder
  readonly domainOf: (host: string | undefined) => string
  readonly notices: HostNotices
  readonly now: () => number
  /** The response to link-preview bots. */
  readonly cardOf: CardOf
  /** Whether visitors can report links. */
  readonly takesReports: boolean
  /** What only the API half does, because it writes or takes long; the visitors' half passes such visits on. */
  readonly checks?: VisitChecks
}

/** The checks of a visit, and what counts it. */
export interface VisitChecks {
  readonly clicks: ClickSink
  /** Uses up one of a link's redirects; false if none is left. Exact across processes. */
  readonly takeClick: (linkId: string, maxClicks: number) => Promise<boolean>
  readonly hasClicksLeft: (linkId: string, maxClicks: number) => Promise<boolean>
  readonly verifyPassword: (hash: string, password: string) => Promise<boolean>
  /** 0: the address may try a password now; otherwise the seconds to wait. */
  readonly secondsToWait: (address: string, linkId: string) => Promise<number>
  /** Passes a report about a link on to the operator; null: reports are disabled. */
  readonly report: ReportLink | null
}

/** A visitor's report about a link. */
interface LinkReport {
  readonly domain: string
  readonly shortCode: string
  readonly url: string
  readonly reason: string
  readonly address: string
}

/** 0: the report is being sent; otherwise the seconds to wait. */
type ReportLink = (report: LinkReport) => Promise<number>

/** Serves links that the fast paths do not handle; undefined: the API half does. */
export type AnswerVisit = (visit: Visit) => Promise<Notice | undefined>

const MAX_PASSWORD_CHARS = 256

export function createLinkVisits(deps: LinkVisitDependencies): AnswerVisit {
  const { targets, domainOf, notices, now, checks } = deps

  const say = (kind: NoticeKind, { headers }: Visit): Notice =>
    notices.notice(domainOf(headers.host), kind, headers)
  const told = (outcome: Outcome, visit: Visit): Notice =>
    takesMore(outcome) || outcome.kind === 'redirect'
      ? say('expired', visit)
      : noticeOf(outcome, domainOf(visit.headers.host), visit.headers, notices)
  const lookOf = ({ headers }: Visit) => notices.lookOf(domainOf(headers.host), headers)

  const counted = (
    { clicks }: VisitChecks,
    visit: Visit,
    visitor: Visitor,
    to: Redirect,
    limited: boolean,
  ): Promise<void> => {
    const click = clickOf(visit.headers, visitor, to, now())
    clicks.append(limited ? { ...click, limited } : click)
    return new Promise((resolve) => clicks.afterWrite(resolve))
  }

  const go = async (visit: Visit, visitor: Visitor, to: Redirect): Promise<Notice | undefined> => {
    if (checks === undefined) return undefined
    const max = to.target.extras?.maxClicks ?? null
    if (max !== null) {
      if (onlyLooks(visit.method, visit.headers)) return limitedPage(lookOf(visit))
      if (!(await checks.takeClick(to.target.linkId, max))) return told(endOf(to.target), visit)
    }
    if (visit.method !== 'HEAD') await counted(checks, visit, visitor, to, max !== null)
    return redirectTo(visit, to)
  }

  /** Undefined: the password is right. */
  const askPassword = async (
    { secondsToWait, verifyPassword }: VisitChecks,
    visit: Visit,
    target: Target,
    hash: string,
  ): Promise<Notice | undefined> => {
    const json = wantsJson(visit.headers.accept)
    const look = lookOf(visit)
    if (visit.method !== 'POST')
      return json ? jsonNotice(401, 'Password required') : passwordPage(false, look)
    const wait = await secondsToWait(visit.address, target.linkId)
    if (wait > 0) {
      const seconds = ['retry-after', String(wait)]
      return json ? jsonNotice(429, 'Too many attempts', seconds) : tooManyTriesPage(wait, look)
    }
    const password = visit.password ?? ''
    const right = password.length <= MAX_PASSWORD_CHARS && (await verifyPassword(hash, password))
    if (right) return undefined
    return json ? jsonNotice(403, 'Wrong password') : passwordPage(true, look)
  }

  /** Does the checks that the decision requires, one after another, until it is made. */
  const answer = async (
    visit: Visit,
    shortCode: string,
    visitor: Visitor,
    outcome: Outcome,
  ): Promise<Notice | undefined> => {
    if (outcome.kind === 'limit') {
      if (checks === undefined) return undefined
      const { target, maxClicks } = outcome
      if (!(await checks.hasClicksLeft(target.linkId, maxClicks))) return told(endOf(target), visit)
      return answer(visit, shortCode, visitor, decide(target, visitor, now(), LIMIT_SETTLED))
    }
    if (outcome.kind === 'preview') {
      if (!isRead(visit)) return say('wrongMethod', visit)
      return deps.cardOf(domainOf(visit.headers.host), shortCode, outcome.preview)
    }
    if (outcome.kind === 'password') {
      if (checks === undefined) return undefined
      if (!isRead(visit) && visit.method !== 'POST') return say('wrongMethod', visit)
      const rejection = await askPassword(checks, visit, outcome.target, outcome.passwordHash)
      if (rejection !== undefined) return rejection
      const next = decide(outcome.target, visitor, now(), PASSWORD_SETTLED)
      return next.kind === 'redirect' ? go(visit, visitor, next) : told(next, visit)
    }
    if (outcome.kind !== 'redirect') return told(outcome, visit)
    return isRead(visit) ? go(visit, visitor, outcome) : say('wrongMethod', visit)
  }

  const preview = async (visit: Visit, shortCode: string, to: Redirect): Promise<Notice | undefined> => {
    const look = lookOf(visit)
    if (isRead(visit)) return previewPage(shortCode, to, deps.takesReports, look)
    if (visit.method !== 'POST' || !deps.takesReports) return say('wrongMethod', visit)
    if (checks?.report == null) return undefined
    const wait = await checks.report({
      domain: domainOf(visit.headers.host),
      shortCode,
      url: to.target.url,
      reason: visit.reason ?? '',
      address: visit.address,
    })
    return wait > 0 ? tooManyTriesPage(wait, look) : reportedPage(look)
  }

  return async (visit) => {
    const { query, headers, address } = visit
    const found = await targets.findAt(domainOf(headers.host), visit.path).catch(() => undefined)
    if (found === undefined) return say('unavailable', visit)
    const { path } = found
    const visitor = { headers, query, rest: path.rest, address }
    const outcome = decide(found.target, visitor, now())
    if (!path.preview || !('target' in outcome)) return answer(visit, path.shortCode, visitor, outcome)
    const to = route(outcome.target, visitor, now())
    return to.kind === 'redirect' ? preview(visit, path.shortCode, to) : say(to.kind, visit)
  }
}

function isRead({ method }: Visit): boolean {
  return method === 'GET' || method === 'HEAD'
}

function redirectTo(visit: Visit, { target, url }: Redirect): Notice {
  // After a form always 303: 307 and 308 would forward the password to the destination.
  const status = visit.method === 'POST' ? 303 : target.status
  return { status, headers: redirectHeaders(url, varyOf(target)), body: Buffer.alloc(0) }
}
