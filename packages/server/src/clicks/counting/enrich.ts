import { hash } from 'node:crypto'
import * as bowser from 'bowser'
import { isbot } from 'isbot'
import type { Click } from '../spool/record.ts'

/** A click as it is kept: who it was can no longer be told from it. Empty strings: not known. */
export interface EnrichedClick {
  readonly atMs: number
  readonly kind: Click['kind']
  readonly subject: string
  readonly detail: string
  readonly country: string
  readonly referrer: string
  readonly device: string
  readonly browser: string
  readonly system: string
  readonly bot: boolean
  readonly visitor: number
}

export interface Agent {
  readonly bot: boolean
  readonly device: string
  readonly browser: string
  readonly system: string
}

export interface EnrichDeps {
  /** ISO country code of an address, or ''. */
  readonly countryOf: (address: string) => string
  /** The secret of that day (its first millisecond, UTC). */
  readonly saltOf: (dayMs: number) => string
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

const MAX_HOST_CHARS = 100
const knownNames = new Set([...Object.values(bowser.BROWSER_MAP), ...Object.values(bowser.OS_MAP)])
const MAPPED_V4 = '::ffff:'

export const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS
export const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS

/** Parsing a user agent costs fifty times a look into this; there are few of them and they come again and again. */
const MAX_REMEMBERED = 5_000
const agents = new Map<string, Agent>()
const hosts = new Map<string, string>()

export function enrich(click: Click, deps: EnrichDeps): EnrichedClick {
  const agent = cached(agents, click.userAgent, readAgent)
  const address = click.address.startsWith(MAPPED_V4) ? click.address.slice(MAPPED_V4.length) : click.address
  return {
    atMs: click.atMs,
    kind: click.kind,
    subject: click.subject,
    detail: click.detail,
    country: deps.countryOf(address),
    referrer: click.referrer === '' ? '' : cached(hosts, click.referrer, referrerHost),
    device: agent.device,
    browser: agent.browser,
    system: agent.system,
    bot: click.limited !== true && (agent.bot || click.prefetch),
    visitor: visitorOf(deps.saltOf(dayOf(click.atMs)), address, click.userAgent),
  }
}

/**
 * A number that is the same for one visitor all day and means nothing the day after: without that day's salt,
 * which is thrown away, no address can be tried against it. 48 bits keep ten million visitors apart.
 */
export function visitorOf(salt: string, address: string, userAgent: string): number {
  return Number.parseInt(hash('sha256', `${salt}\n${address}\n${userAgent}`, 'hex').slice(0, 12), 16)
}

export function readAgent(userAgent: string): Agent {
  if (userAgent === '') return { bot: false, device: '', browser: '', system: '' }
  const { browser, os, platform } = bowser.parse(userAgent)
  return {
    bot: isbot(userAgent),
    device: platform.type ?? '',
    // For what it does not know, the parser answers a piece of the text itself, which anybody can choose.
    browser: knownNames.has(browser.name ?? '') ? (browser.name ?? '') : '',
    system: knownNames.has(os.name ?? '') ? (os.name ?? '') : '',
  }
}

/** The site somebody came from, without what they did there. */
export function referrerHost(referrer: string): string {
  const url = URL.parse(referrer)
  if (url === null || !/^(https?|android-app):$/.test(url.protocol)) return ''
  return url.hostname
    .toLowerCase()
    .replace(/^www\./, '')
    .slice(0, MAX_HOST_CHARS)
}

/** A full map starts over: whatever is worth remembering is back in it at once. */
function cached<V extends {}>(cache: Map<string, V>, key: string, read: (key: string) => V): V {
  const known = cache.get(key)
  if (known !== undefined) return known
  const value = read(key)
  if (cache.size >= MAX_REMEMBERED) cache.clear()
  cache.set(key, value)
  return value
}
