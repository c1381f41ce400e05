/* Responds to GET and HEAD of short links at node:http, before all routes: requests that the front passed on (front.ts). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressReader } from '../../net/client-address.ts'
import { writeNotice } from '../notices/send-notice.ts'
import type { PassOn } from '../site.ts'
import type { Redirect, Target } from './decide.ts'
import { type ClickSink, isRedirect, type PlainVisits, redirectHeaders, varyOf } from './plain-visits.ts'
import type { TargetFinder } from './target-finder.ts'
import { queryOf, readShortCodePath, type ShortCodePath } from './target-path.ts'

export interface RedirectDeps {
  readonly targets: TargetFinder
  readonly visits: PlainVisits
  readonly clicks: ClickSink
  /** Whether a first path segment belongs to our own routes. */
  readonly isRouted: (shortCode: string) => boolean
  /** The registered domain of a `host` header; '' for the default one and for unknown hosts. */
  readonly domainOf: (host: string | undefined) => string
  /** The visitor's address, also behind trusted proxies. */
  readonly addressOf: AddressReader
}

export interface Redirector {
  /** Whether the request was or will be handled; if not, the routes do (router.ts). After a look-up it may be passed on. */
  handle(req: IncomingMessage, res: ServerResponse, passOn: PassOn): boolean
}

/** A cache hit creates no promise and no log line. */
export function createRedirector(deps: RedirectDeps): Redirector {
  const { targets, visits, clicks, isRouted, domainOf, addressOf } = deps
  let waiting: ServerResponse[] = []
  let redirects: Redirect[] = []

  const deliver = (): void => {
    const [responses, destinations] = [waiting, redirects]
    waiting = []
    redirects = []
    for (let i = 0; i < responses.length; i++) sendSafely(responses[i]!, destinations[i]!)
  }

  /** False: the routes handle it. */
  const answer = (
    req: IncomingMessage,
    res: ServerResponse,
    domain: string,
    { rest }: ShortCodePath,
    target: Target | null,
  ): boolean => {
    const { headers, url = '' } = req
    const visitor = { headers, query: queryOf(url), rest, address: addressOf(req) }
    const isHead = req.method === 'HEAD'
    const given = visits.answer(target, { domain, headers, visitor, isHead })
    if (given === undefined) return false
    if (!isRedirect(given)) writeNotice(req, res, given)
    else if (isHead) sendTo(res, given)
    else {
      // Send after the click is on disk.
      if (waiting.length === 0) clicks.afterWrite(deliver)
      waiting.push(res)
      redirects.push(given)
    }
    return true
  }

  const handle = (req: IncomingMessage, res: ServerResponse, passOn: PassOn): boolean => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false
    const path = readShortCodePath(req.url ?? '')
    if (path === null || path.preview) return false
    const domain = domainOf(req.headers.host)
    const known = targets.known(domain, path.shortCode)
    if (known !== undefined) return answer(req, res, domain, path, known)
    if (isRouted(path.shortCode)) return false
    targets.ask(domain, path.shortCode, (error, target) => {
      if (error !== null) writeNotice(req, res, visits.unavailable(domain, req.headers))
      else if (!answer(req, res, domain, path, target)) passOn(req, res)
    })
    return true
  }

  return { handle }
}

function sendTo(res: ServerResponse, { target, url }: Redirect): void {
  res.writeHead(target.status, redirectHeaders(url, varyOf(target)))
  res.end()
}

/** A response that cannot be sent must not block the others of its turn. */
function sendSafely(res: ServerResponse, to: Redirect): void {
  try {
    sendTo(res, to)
  } catch {
    res.destroy()
  }
}
