/* Handles visits that need more than a redirect: passwords, click limits, preview cards, `/{code}+`. */
import type { IncomingHttpHeaders } from 'node:http'
import { addressBucket } from '../../net/client-address.ts'
import type { Limits } from '../../net/limits/limits.ts'
import type { Mailer } from '../../net/mail.ts'
import type { Background } from '../../work/background.ts'
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
  LIMIT_SETTLED,
  type Outcome,
  PASSWORD_SETTLED,
  type Redirect,
  route,
  type Target,
} from './decide.ts'
import { clickOf, type ClickSink, redirectHeaders, varyOf } from './plain-visits.ts'
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
  readonly clicks: ClickSink
  readonly domainOf: (host: string | undefined) => string
  readonly notices: HostNotices
  readonly now: () => number
  /** Uses up one of a link's redirects; false if none is left. Exact across processes. */
  readonly takeClick: (linkId: string, maxClicks: number) => Promise<boolean>
  readonly hasClicksLeft: (linkId: string, maxClicks: number) => Promise<boolean>
  readonly verifyPassword: (hash: string, password: string) => Promise<boolean>
  /** The response to link-preview bots. */
  readonly cardOf: CardOf
  /** Passes a report about a link on to the operator; null: reports are disabled. */
  readonly report: ReportLink | null
  /** 0: the address may try a password now; otherwise the seconds to wait. */
  readonly secondsToWait: (address: string, linkId: string) => Promise<number>
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

/** Serves links that the fast paths do not handle. */
export type AnswerVisit = (visit: Visit) => Promise<Notice>

const MAX_PASSWORD_CHARS = 256

export function createLinkVisits(deps: LinkVisitDependencies): AnswerVisit {
  const { targets, clicks, domainOf, notices, now } = deps

  const say = (kind: NoticeKind, { headers }: Visit): Notice =>
    notices.notice(domainOf(headers.host), kind, headers)
  const lookOf = ({ headers }: Visit) => notices.lookOf(domainOf(headers.host), headers)

  const counted = (visit: Visit, visitor: Visitor, to: Redirect, limited: boolean): Promise<void> => {
    const click = clickOf(visit.headers, visitor, to, now())
    clicks.append(limited ? { ...click, limited } : click)
    return new Promise((resolve) => clicks.afterWrite(resolve))
  }

  const go = async (visit: Visit, visitor: Visitor, to: Redirect): Promise<Notice> => {
    const max = to.target.extras?.maxClicks ?? null
    if (max !== null) {
      if (onlyLooks(visit.method, visit.headers)) return limitedPage(lookOf(visit))
      if (!(await deps.takeClick(to.target.linkId, max))) return say('expired', visit)
    }
    if (visit.method !== 'HEAD') await counted(visit, visitor, to, max !== null)
    return redirectTo(visit, to)
  }

  /** Undefined: the password is right. */
  const askPassword = async (visit: Visit, target: Target, hash: string): Promise<Notice | undefined> => {
    const json = wantsJson(visit.headers.accept)
    const look = lookOf(visit)
    if (visit.method !== 'POST')
      return json ? jsonNotice(401, 'Password required') : passwordPage(false, look)
    const wait = await deps.secondsToWait(visit.address, target.linkId)
    if (wait > 0) {
      const seconds = ['retry-after', String(wait)]
      return json ? jsonNotice(429, 'Too many attempts', seconds) : tooManyTriesPage(wait, look)
    }
    const password = visit.password ?? ''
    const right = password.length <= MAX_PASSWORD_CHARS && (await deps.verifyPassword(hash, password))
    if (right) return undefined
    return json ? jsonNotice(403, 'Wrong password') : passwordPage(true, look)
  }

  /** Does the checks that the decision requires, one after another, until it is made. */
  const answer = async (
    visit: Visit,
    shortCode: string,
    visitor: Visitor,
    outcome: Outcome,
  ): Promise<Notice> => {
    if (outcome.kind === 'limit') {
      const { target, maxClicks } = outcome
      if (!(await deps.hasClicksLeft(target.linkId, maxClicks))) return say('expired', visit)
      return answer(visit, shortCode, visitor, decide(target, visitor, now(), LIMIT_SETTLED))
    }
    if (outcome.kind === 'preview') {
      if (!isRead(visit)) return say('wrongMethod', visit)
      return deps.cardOf(domainOf(visit.headers.host), shortCode, outcome.preview)
    }
    if (outcome.kind === 'password') {
      if (!isRead(visit) && visit.method !== 'POST') return say('wrongMethod', visit)
      const rejection = await askPassword(visit, outcome.target, outcome.passwordHash)
      if (rejection !== undefined) return rejection
      const next = decide(outcome.target, visitor, now(), PASSWORD_SETTLED)
      if (next.kind === 'redirect') return go(visit, visitor, next)
      return say(next.kind === 'notFound' ? 'notFound' : 'expired', visit)
    }
    if (outcome.kind !== 'redirect') return say(outcome.kind, visit)
    return isRead(visit) ? go(visit, visitor, outcome) : say('wrongMethod', visit)
  }

  const preview = async (visit: Visit, shortCode: string, to: Redirect): Promise<Notice> => {
    const look = lookOf(visit)
    if (isRead(visit)) return previewPage(shortCode, to, deps.report !== null, look)
    if (visit.method !== 'POST' || deps.report === null) return say('wrongMethod', visit)
    const wait = await deps.report({
      domain: domainOf(visit.headers.host),
      shortCode,
      url: to.target.url,
      reason: visit.reason ?? '',
      address: visit.address,
    })
    return wait > 0 ? tooManyTriesPage(wait, look) : reportedPage(look)
  }

  return async (visit) => {
    const { path, query, headers, address } = visit
    const found = await targets.find(domainOf(headers.host), path.shortCode).catch(() => undefined)
    if (found === undefined) return say('unavailable', visit)
    const visitor = { headers, query, rest: path.rest, address }
    const outcome = decide(found, visitor, now())
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

export interface ReportDependencies {
  readonly mailer: Mailer
  readonly contact: string | undefined
  readonly limits: Limits
  readonly shortUrl: (name: { readonly domain: string; readonly short_code: string }) => string
  /** The response does not wait for the mail server. */
  readonly mails: Background
}

/** Reports per minute: from one address, about one link, and in total. */
const ADDRESS_LIMIT = 3
const LINK_LIMIT = 5
const TOTAL_LIMIT = 60
const REASON_CHARS = 500

/** Control characters could look like further lines of the mail. */
const oneLine = (text: string): string => text.slice(0, REASON_CHARS).replaceAll(/\p{Cc}+/gu, ' ')

/** Mails reports of visitors to ABUSE_CONTACT; null without a contact or mail server. */
export function createReports({
  mailer,
  contact,
  limits,
  shortUrl,
  mails,
}: ReportDependencies): ReportLink | null {
  if (contact === undefined || !mailer.enabled) return null
  const buckets = ({ address, domain, shortCode }: Parameters<ReportLink>[0]) =>
    [
      [`report:${addressBucket(address)}`, ADDRESS_LIMIT],
      [`report-link:${domain}/${shortCode}`, LINK_LIMIT],
      ['report-all', TOTAL_LIMIT],
    ] as const
  return async (report) => {
    for (const [bucket, limit] of buckets(report)) {
      const { allowed, resetMs } = await limits.take(bucket, limit)
      if (!allowed) return Math.max(1, Math.ceil(resetMs / 1000))
    }
    const link = shortUrl({ domain: report.domain, short_code: report.shortCode })
    const text = [
      `A visitor has reported a short link.`,
      `Short link:  ${link}\nDestination: ${report.url}\nReason:      ${oneLine(report.reason) || 'none given'}`,
      `To block it: waymark admin link block ${link} --reason "…"`,
    ].join('\n\n')
    mails.start(() => mailer.send({ to: contact, subject: `Reported link: ${link}`, text }))
    return 0
  }
}
