/* What both fast paths, the socket front and node:http, do with a visit: decide, count, and append the click. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Click } from '../../clicks/spool/record.ts'
import type { HostNotices } from '../notices/host-notices.ts'
import type { Notice } from '../notices/notices.ts'
import { visitOf } from '../visit-of.ts'
import { decide, type Redirect, takesMore, type Target } from './decide.ts'
import { queryOf } from './target-path.ts'
import type { Visitor } from './visitor.ts'

export interface ClickSink {
  append(click: Click): void
  afterWrite(effect: () => void): void
}

export interface PlainVisitDeps {
  readonly clicks: Pick<ClickSink, 'append'>
  readonly notices: Pick<HostNotices, 'notice'>
  /** Wall clock. */
  readonly now: () => number
}

/** A visit as read by one of the fast paths. */
export interface PlainVisit {
  /** The registered domain of the request; '' for the default one. */
  readonly domain: string
  readonly headers: IncomingHttpHeaders
  readonly visitor: Visitor
  /** HEAD gets the same response as GET and is not counted. */
  readonly isHead: boolean
}

/** The parameter in printed codes that distinguishes scans from clicks. */
const QR_MARK = /(?:^|&)qr(?:[=&]|$)/

export class PlainVisits {
  readonly counts = {
    redirects: 0,
    notFound: 0,
    gone: 0,
    expired: 0,
    blocked: 0,
    notYet: 0,
    unavailable: 0,
  }
  readonly #deps: PlainVisitDeps

  constructor(deps: PlainVisitDeps) {
    this.#deps = deps
  }

  /** Undefined: the link has a password, a click limit or a preview card, which link-visits.ts handles. */
  answer(target: Target | null, visit: PlainVisit): Redirect | Notice | undefined {
    const { clicks, notices, now } = this.#deps
    const { domain, headers, visitor, isHead } = visit
    const nowMs = now()
    const outcome = decide(target, visitor, nowMs)
    if (takesMore(outcome)) return undefined
    if (outcome.kind !== 'redirect') {
      this.counts[outcome.kind]++
      return notices.notice(domain, outcome.kind, headers)
    }
    if (isHead) return outcome
    this.counts.redirects++
    clicks.append(clickOf(headers, visitor, outcome, nowMs))
    return outcome
  }

  /** The database did not respond. */
  unavailable(domain: string, headers: IncomingHttpHeaders): Notice {
    this.counts.unavailable++
    return this.#deps.notices.notice(domain, 'unavailable', headers)
  }
}

export const isRedirect = (answer: Redirect | Notice): answer is Redirect => 'target' in answer

/** The click of a visit, from its request. */
export function clickOf(
  headers: IncomingHttpHeaders,
  { address, query }: Visitor,
  { target, url, rule, variant }: Redirect,
  atMs: number,
): Click {
  const click: Click = {
    ...visitOf(headers, { kind: 'link', resourceUuid: target.linkId }, address, atMs),
    // Searching for the name takes a fraction of reading the parameters, which the counting thread does.
    utmQuery: url.includes('utm_') ? queryOf(url) : undefined,
    scanned: query !== '' && QR_MARK.test(query),
  }
  if (rule === undefined && variant === undefined) return click
  return { ...click, ...(rule !== undefined && { rule }), ...(variant !== undefined && { variant }) }
}

/** A flat list saves node:http from merging headers. Without a length the response would be chunked. */
export function redirectHeaders(url: string, vary: string): string[] {
  const headers = ['location', url, 'cache-control', 'private, max-age=0', 'content-length', '0']
  if (vary !== '') headers.push('vary', vary)
  return headers
}

/** The request headers that the destination of a link depends on. */
export function varyOf({ extras }: Target): string {
  if (extras === null) return ''
  const vary = extras.routing?.vary ?? ''
  if (extras.preview === null || vary.includes('user-agent')) return vary
  return vary === '' ? 'user-agent' : `user-agent, ${vary}`
}
