import { plainAddress } from '../facts/addresses.ts'
import { hostOfReferrer } from '../facts/referrers.ts'
import { remembered } from '../facts/remembered.ts'
import { languageOf } from '../facts/languages.ts'
import { utmOf } from '../facts/utm.ts'
import { agentOf } from '../facts/user-agents.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import type { Click } from '../spool/record.ts'
import { visitorNumbers } from './visitor-numbers.ts'

export interface EnrichDeps {
  /** ISO country code of an address, or ''. */
  readonly countryOf: (address: string) => string
  /** The secret of that day (its first millisecond, UTC). */
  readonly saltOf: (dayMs: number) => string
}

const MAX_HOST_CHARS = 100

const MAX_REMEMBERED = 5_000
const MAX_UUIDS = 20_000
const hostOf = remembered(MAX_REMEMBERED, referrerHost)
/** The same text for the same uuid: looking it up again and again is then a comparison of two addresses. */
const sharedUuid = remembered(MAX_UUIDS, (uuid) => Buffer.from(uuid).toString())

export function enrichAll(clicks: readonly Click[], deps: EnrichDeps): StoredClick[] {
  const visitors = visitorNumbers(clicks, deps.saltOf)
  return clicks.map((click, at) => enrich(click, deps.countryOf, visitors[at]!))
}

function enrich(click: Click, countryOf: EnrichDeps['countryOf'], visitor: number): StoredClick {
  const { isBot, ...facts } = factsOf(click, countryOf)
  return {
    atMs: click.atMs,
    kind: click.kind,
    resourceUuid: sharedUuid(click.resourceUuid),
    detail: click.detail,
    ...facts,
    variant: click.variant ?? '',
    rule: click.rule ?? '',
    scanned: click.scanned === true,
    bot: click.limited !== true && (isBot || click.prefetch),
    visitor,
  }
}

/** What headers and address say. Visitors choose them: if a reader fails on one, the click counts with nothing known. */
function factsOf(click: Click, countryOf: EnrichDeps['countryOf']) {
  try {
    const agent = agentOf(click.userAgent)
    const utm = utmOf(click.utmQuery)
    return {
      country: countryOf(plainAddress(click.address)),
      referrer: click.referrer === '' ? '' : hostOf(click.referrer),
      device: agent.device,
      browser: agent.browser,
      system: agent.system,
      language: click.acceptLanguage === undefined ? '' : withoutRegion(languageOf(click.acceptLanguage)),
      utm_source: utm.source,
      utm_medium: utm.medium,
      utm_campaign: utm.campaign,
      isBot: agent.bot,
    }
  } catch {
    return NOTHING_KNOWN
  }
}

const NOTHING_KNOWN = {
  country: '',
  referrer: '',
  device: '',
  browser: '',
  system: '',
  language: '',
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  isBot: false,
}

/** The host of the referrer, without path and query. */
export function referrerHost(referrer: string): string {
  return hostOfReferrer(referrer)
    .replace(/^www\./, '')
    .slice(0, MAX_HOST_CHARS)
}

/** `fr` of `fr-ca`: regions would cut one language into many rows. */
function withoutRegion(language: string): string {
  const hyphen = language.indexOf('-')
  return hyphen === -1 ? language : language.slice(0, hyphen)
}
