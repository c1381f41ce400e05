import type { IncomingHttpHeaders } from 'node:http'
import { decide } from './decide.ts'
import type { Rules, Target } from './decide.ts'
import type { HostNotices } from '../notices/host-notices.ts'
import { jsonNotice, wantsJson } from '../notices/notices.ts'
import type { Notice, NoticeKind } from '../notices/notices.ts'
import { clickOf } from './redirector.ts'
import type { ClickSink } from './redirector.ts'
import { onlyLooks } from './only-looks.ts'
import { queryOf, readShortCodePath } from './target-path.ts'
import type { TargetFinder } from './target-finder.ts'
import { limitedPage, passwordPage, previewPage, tooManyTriesPage } from '../notices/link-notices.ts'

/** A visit as the framework received it. */
export interface Visit {
  readonly method: string
  /** The request target as it was sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** The field `password` of a form that was sent. */
  readonly password: string | undefined
}

export interface ThoughtfulDeps {
  readonly targets: TargetFinder
  readonly clicks: ClickSink
  readonly isRouted: (shortCode: string) => boolean
  readonly domainOf: (host: string | undefined) => string
  readonly notices: HostNotices
  readonly now: () => number
  /** Takes one of a link's redirects; false when all are used up. Exact across processes. */
  readonly takeClick: (linkId: string, maxClicks: number) => Promise<boolean>
  readonly hasClicksLeft: (linkId: string, maxClicks: number) => Promise<boolean>
  readonly verifyPassword: (hash: string, password: string) => Promise<boolean>
  /** 0: the address may try a password now; otherwise how many seconds to wait. */
  readonly secondsToWait: (address: string, linkId: string) => Promise<number>
}

/** Serves links that the hot path leaves; `null` when the path is no short code. */
export type AnswerVisit = (visit: Visit) => Promise<Notice | null>

const IOS = /\b(iPhone|iPad|iPod)\b/
const ANDROID = /\bAndroid\b/
const MAX_PASSWORD_CHARS = 256

export function createLinkVisits(deps: ThoughtfulDeps): AnswerVisit {
  const { targets, clicks, isRouted, domainOf, notices, now } = deps

  const say = (kind: NoticeKind, { headers }: Visit): Notice =>
    notices.notice(domainOf(headers.host), kind, headers.accept)
  const brandOf = ({ headers }: Visit) => notices.brandOf(domainOf(headers.host))

  const counted = (visit: Visit, target: Target, limited: boolean): Promise<void> => {
    const sentTo = { linkId: target.linkId, url: destination(visit, target) }
    const click = clickOf(visit, sentTo, visit.address, now(), queryOf(visit.url))
    clicks.append(limited ? { ...click, limited } : click)
    return new Promise((resolve) => clicks.afterWrite(resolve))
  }

  const go = async (visit: Visit, target: Target): Promise<Notice> => {
    const max = target.rules?.maxClicks ?? null
    if (max !== null) {
      if (onlyLooks(visit.method, visit.headers)) return limitedPage(brandOf(visit))
      if (!(await deps.takeClick(target.linkId, max))) return say('expired', visit)
    }
    if (visit.method !== 'HEAD') await counted(visit, target, max !== null)
    return redirectTo(visit, target)
  }

  const askPassword = async (visit: Visit, target: Target, hash: string): Promise<Notice> => {
    const json = wantsJson(visit.headers.accept)
    const brand = brandOf(visit)
    if (visit.method !== 'POST')
      return json ? jsonNotice(401, 'Password required') : passwordPage(false, brand)
    const wait = await deps.secondsToWait(visit.address, target.linkId)
    if (wait > 0) {
      const seconds = ['retry-after', String(wait)]
      return json ? jsonNotice(429, 'Too many attempts', seconds) : tooManyTriesPage(wait, brand)
    }
    const password = visit.password ?? ''
    const right = password.length <= MAX_PASSWORD_CHARS && (await deps.verifyPassword(hash, password))
    if (right) return go(visit, target)
    return json ? jsonNotice(403, 'Wrong password') : passwordPage(true, brand)
  }

  const think = async (visit: Visit, target: Target, rules: Rules): Promise<Notice> => {
    if (rules.maxClicks !== null && !(await deps.hasClicksLeft(target.linkId, rules.maxClicks)))
      return say('expired', visit)
    if (rules.passwordHash !== null) return askPassword(visit, target, rules.passwordHash)
    return isRead(visit) ? go(visit, target) : say('wrongMethod', visit)
  }

  return async (visit) => {
    const path = readShortCodePath(visit.url)
    if (path === null || isRouted(path.shortCode)) return null
    const found = await targets.find(domainOf(visit.headers.host), path.shortCode).catch(() => undefined)
    if (found === undefined) return say('unavailable', visit)
    const outcome = decide(found, now())
    if (outcome.kind !== 'redirect' && outcome.kind !== 'thought') return say(outcome.kind, visit)
    if (path.preview)
      return isRead(visit)
        ? previewPage(path.shortCode, outcome.target, brandOf(visit))
        : say('wrongMethod', visit)
    if (outcome.kind === 'thought') return think(visit, outcome.target, outcome.rules)
    return isRead(visit) ? go(visit, outcome.target) : say('wrongMethod', visit)
  }
}

function isRead({ method }: Visit): boolean {
  return method === 'GET' || method === 'HEAD'
}

function redirectTo(visit: Visit, target: Target): Notice {
  const { rules } = target
  const byDevice = rules !== null && (rules.iosUrl !== null || rules.androidUrl !== null)
  // After a form always 303: 307 and 308 would send the password on to the destination.
  const status = visit.method === 'POST' ? 303 : target.status
  const headers = [
    'location',
    destination(visit, target),
    'cache-control',
    'private, max-age=0',
    'content-length',
    '0',
  ]
  if (byDevice) headers.push('vary', 'user-agent')
  return { status, headers, body: Buffer.alloc(0) }
}

function destination({ headers }: Visit, { url, rules }: Target): string {
  const agent = headers['user-agent'] ?? ''
  if (rules === null) return url
  if (rules.iosUrl !== null && IOS.test(agent)) return rules.iosUrl
  if (rules.androidUrl !== null && ANDROID.test(agent)) return rules.androidUrl
  return url
}
