import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressReader } from '../../runtime/client-address.ts'
import type { Click } from '../../clicks/spool/record.ts'
import { visitOf } from '../visit-of.ts'
import { decide, takesMore } from './decide.ts'
import type { Redirect, Target } from './decide.ts'
import type { HostNotices } from '../notices/host-notices.ts'
import { writeNotice } from '../notices/send-notice.ts'
import type { PassOn } from '../site.ts'
import { queryOf, readShortCodePath } from './target-path.ts'
import type { TargetFinder } from './target-finder.ts'
import type { Visitor } from './visitor.ts'

export interface ClickSink {
  append(click: Click): void
  afterWrite(effect: () => void): void
}

export interface RedirectDeps {
  readonly targets: TargetFinder
  readonly clicks: ClickSink
  /** First path segments of our own routes. */
  readonly isRouted: (shortCode: string) => boolean
  /** The registered domain a `host` header names; '' for the default one and for every stranger. */
  readonly domainOf: (host: string | undefined) => string
  readonly notices: Pick<HostNotices, 'notice'>
  /** The visitor's address, behind trusted proxies too. */
  readonly addressOf: AddressReader
  /** Wall clock. */
  readonly now: () => number
}

export interface RedirectCounts {
  redirects: number
  notFound: number
  gone: number
  expired: number
  blocked: number
  notYet: number
  unavailable: number
}

export interface Redirector {
  /** Whether the request was or will be handled; if not, Fastify handles it. After a look-up it may be passed on. */
  handle(req: IncomingMessage, res: ServerResponse, passOn: PassOn): boolean
  readonly counts: RedirectCounts
}

/** The parameter that a printed code carries to tell a scan from a click. */
const QR_MARK = /(?:^|&)qr(?:[=&]|$)/

/** Serves `GET /{code}` in front of Fastify. A hit makes no promise and no log line. */
export function createRedirector(deps: RedirectDeps): Redirector {
  const { targets, clicks, isRouted, domainOf, notices, now } = deps
  const counts: RedirectCounts = {
    redirects: 0,
    notFound: 0,
    gone: 0,
    expired: 0,
    blocked: 0,
    notYet: 0,
    unavailable: 0,
  }
  let waiting: ServerResponse[] = []
  let redirects: Redirect[] = []

  const deliver = (): void => {
    const [responses, destinations] = [waiting, redirects]
    waiting = []
    redirects = []
    for (let i = 0; i < responses.length; i++) sendSafely(responses[i]!, destinations[i]!)
  }

  const redirect = (
    req: IncomingMessage,
    res: ServerResponse,
    visitor: Visitor,
    to: Redirect,
    nowMs: number,
  ): void => {
    if (req.method === 'HEAD') {
      sendTo(res, to)
      return
    }
    counts.redirects++
    clicks.append(clickOf(req.headers, visitor, to, nowMs))
    if (waiting.length === 0) clicks.afterWrite(deliver)
    waiting.push(res)
    redirects.push(to)
  }

  /** Serves the request, or returns false for links that need a password, have a click limit, or show a card. */
  const answer = (
    req: IncomingMessage,
    res: ServerResponse,
    domain: string,
    target: Target | null,
  ): boolean => {
    const nowMs = now()
    const visitor = { headers: req.headers, query: queryOf(req.url ?? ''), address: deps.addressOf(req) }
    const outcome = decide(target, visitor, nowMs)
    if (takesMore(outcome)) return false
    if (outcome.kind === 'redirect') {
      redirect(req, res, visitor, outcome, nowMs)
    } else {
      counts[outcome.kind]++
      writeNotice(req, res, notices.notice(domain, outcome.kind, req.headers.accept))
    }
    return true
  }

  const lookUp = (
    req: IncomingMessage,
    res: ServerResponse,
    name: readonly [string, string],
    passOn: PassOn,
  ): void => {
    targets.ask(...name, (error, target) => {
      if (error !== null) {
        counts.unavailable++
        writeNotice(req, res, notices.notice(name[0], 'unavailable', req.headers.accept))
      } else if (!answer(req, res, name[0], target)) {
        passOn(req, res)
      }
    })
  }

  const handle = (req: IncomingMessage, res: ServerResponse, passOn: PassOn): boolean => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false
    const path = readShortCodePath(req.url ?? '')
    if (path === null || path.preview) return false
    const domain = domainOf(req.headers.host)
    const known = targets.known(domain, path.shortCode)
    if (known !== undefined) return answer(req, res, domain, known)
    if (isRouted(path.shortCode)) return false
    lookUp(req, res, [domain, path.shortCode], passOn)
    return true
  }

  return { handle, counts }
}

/** What a request tells about the visit. */
export function clickOf(
  headers: IncomingHttpHeaders,
  { address, query }: Visitor,
  { target, url, rule, variant }: Redirect,
  atMs: number,
): Click {
  const click: Click = {
    ...visitOf(headers, { kind: 'link', resourceUuid: target.linkId }, address, atMs),
    // Looking for the name costs a fraction of reading the parameters, which the counting thread does.
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

function sendTo(res: ServerResponse, { target, url }: Redirect): void {
  res.writeHead(target.status, redirectHeaders(url, varyOf(target)))
  res.end()
}

/** One response that cannot be sent must not keep the others of its turn waiting forever. */
function sendSafely(res: ServerResponse, to: Redirect): void {
  try {
    sendTo(res, to)
  } catch {
    res.destroy()
  }
}
