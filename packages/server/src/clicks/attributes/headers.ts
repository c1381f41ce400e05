import { withoutControls } from '@waymark/contract'
import * as bowser from 'bowser'
import { isbot } from 'isbot'

/** What a user agent says; empty strings mean unknown. Rules and statistics use the same parser. */
export interface Agent {
  readonly bot: boolean
  readonly device: string
  readonly browser: string
  readonly system: string
}

/** As many as the spool stores. Browsers send less, and matching long texts takes time. */
const MAX_USER_AGENT_CHARS = 512
const MAX_AGENTS = 5_000
const knownNames = new Set([...Object.values(bowser.BROWSER_MAP), ...Object.values(bowser.OS_MAP)])

/** Parsing a user agent takes fifty times as long as this lookup, and the same few occur again and again. */
const knownAgent = remembered(MAX_AGENTS, readAgent)

export function agentOf(userAgent: string): Agent {
  return knownAgent(
    userAgent.length > MAX_USER_AGENT_CHARS ? userAgent.slice(0, MAX_USER_AGENT_CHARS) : userAgent,
  )
}

export function readAgent(userAgent: string): Agent {
  if (userAgent === '') return { bot: false, device: '', browser: '', system: '' }
  const { browser, os, platform } = bowser.parse(userAgent)
  return {
    bot: isbot(userAgent),
    device: platform.type ?? '',
    // For unknown agents the parser returns part of the text itself, which the client can choose freely.
    browser: knownNames.has(browser.name ?? '') ? (browser.name ?? '') : '',
    system: knownNames.has(os.name ?? '') ? (os.name ?? '') : '',
  }
}

/** Browsers send less, and their first preference is at the beginning. */
const MAX_HEADER_CHARS = 1_024
const MAX_LANGUAGES = 1_000
const ENTRY = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:;q=([01](?:\.\d{0,3})?))?$/

const knownLanguage = remembered(MAX_LANGUAGES, readLanguage)

/** The language that a visitor prefers, in lower case (`fr-ca`); '' if none is named. */
export function languageOf(acceptLanguage: string): string {
  if (acceptLanguage === '') return ''
  return knownLanguage(
    acceptLanguage.length > MAX_HEADER_CHARS ? acceptLanguage.slice(0, MAX_HEADER_CHARS) : acceptLanguage,
  )
}

function readLanguage(header: string): string {
  let best = ''
  let bestQuality = 0
  for (const entry of header.toLowerCase().split(',')) {
    const [, language = '', quality = '1'] = ENTRY.exec(entry.replaceAll(/[ \t]/g, '')) ?? []
    if (language === '' || !(Number(quality) > bestQuality)) continue
    best = language
    bestQuality = Number(quality)
  }
  return best
}

const MAX_REFERRER_CHARS = 1_024
const MAX_REFERRERS = 5_000

const knownHost = remembered(MAX_REFERRERS, hostOfReferrer)

/** The host of the site that a visitor came from, in lower case; '' if there is none. */
export function referrerHostOf(referrer: string): string {
  if (referrer === '') return ''
  return knownHost(referrer.length > MAX_REFERRER_CHARS ? referrer.slice(0, MAX_REFERRER_CHARS) : referrer)
}

export function hostOfReferrer(referrer: string): string {
  const url = URL.parse(referrer)
  if (url === null || !/^(https?|android-app):$/.test(url.protocol)) return ''
  return url.hostname.toLowerCase()
}

export interface Utm {
  readonly source: string
  readonly medium: string
  readonly campaign: string
}

const NO_UTM: Utm = { source: '', medium: '', campaign: '' }
/** Counted in code points. */
const MAX_UTM_CHARS = 100
const MAX_QUERIES = 2_000

const knownUtm = remembered(MAX_QUERIES, readUtm)

/** The UTM parameters of a query, as passed on to the destination. */
export function utmOf(query: string | undefined): Utm {
  return query === undefined || query === '' ? NO_UTM : knownUtm(query)
}

/** Filters cannot contain control characters, so recorded values do not have any. */
function readUtm(query: string): Utm {
  const parameters = new URLSearchParams(query)
  const valueOf = (name: string): string =>
    Array.from(withoutControls(parameters.get(name) ?? ''))
      .slice(0, MAX_UTM_CHARS)
      .join('')
  return {
    source: valueOf('utm_source'),
    medium: valueOf('utm_medium'),
    campaign: valueOf('utm_campaign'),
  }
}

/** A query that has the same UTM parameters, with values as short as they are recorded, and nothing else. */
export function shortUtmQuery(query: string): string {
  const { source, medium, campaign } = readUtm(query)
  return new URLSearchParams({
    utm_source: source,
    utm_medium: medium,
    utm_campaign: campaign,
  }).toString()
}

/**
 * Caches what a function returned for a text. When the cache is full, it is cleared: texts that occur often are soon back.
 */
export function remembered<V extends {}>(maxEntries: number, read: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>()
  return (text) => {
    const value = known.get(text)
    if (value !== undefined) return value
    const fresh = read(text)
    if (known.size >= maxEntries) known.clear()
    known.set(ownText(text), fresh)
    return fresh
  }
}

/** Copies a header value. Otherwise V8 keeps the whole request in memory, because the value is a slice of it. */
function ownText(piece: string): string {
  return Buffer.from(piece).toString()
}
