import { readSync } from 'node:fs'
import { dayOf } from '../../work/times.ts'
import { type Click, decodeFrames } from '../spool/record.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import { plainAddress } from '../facts/addresses.ts'
import { hostOfReferrer, remembered, languageOf, utmOf, agentOf } from '../facts/headers.ts'
import { visitorNumbers } from './visitor-numbers.ts'

export interface ClickReaderDeps {
  readonly countryOf: (address: string) => string
  readonly salt: (dayMs: number) => Promise<string>
}

export interface ReadClicks {
  readonly clicks: readonly StoredClick[]
  /** How far the file was understood. */
  readonly to: number
  /** There is more to read at once. */
  readonly full: boolean
  /** Nothing will follow: the writer said so. */
  readonly ended: boolean
  readonly damagedBytes: number
  /** Read, and not understood yet. */
  readonly restBytes: number
}

const READ_BYTES = 1024 * 1024
/** Of the spool in one batch; clicks with long texts take a multiple of it in memory. */
const MAX_SPOOL_BYTES = 8 * 1024 * 1024

/** Reads clicks out of files of the spool, and what is to be known about each. */
export class ClickReader {
  readonly #deps: ClickReaderDeps
  #buffer = Buffer.allocUnsafeSlow(READ_BYTES)

  constructor(deps: ClickReaderDeps) {
    this.#deps = deps
  }

  /** As much as the buffer holds; valid until the next read. */
  read(fd: number, position: number): Buffer {
    let length = 0
    while (length < this.#buffer.length) {
      const got = readSync(fd, this.#buffer, length, this.#buffer.length - length, position + length)
      if (got === 0) break
      length += got
    }
    return this.#buffer.subarray(0, length)
  }

  /** Reads one piece after the other until there are enough: a click takes little memory once it is enriched. */
  async readClicks(fd: number, start: number, maxClicks: number): Promise<ReadClicks> {
    const clicks: StoredClick[] = []
    let to = start
    let damagedBytes = 0
    for (;;) {
      const bytes = this.read(fd, to)
      const room = this.#buffer.length
      const isFull = bytes.length === room
      const decoded = decodeFrames(bytes, maxClicks - clicks.length)
      const { consumedBytes, ended } = decoded
      for (const click of await this.#enrich(decoded.clicks)) clicks.push(click)
      to += consumedBytes
      damagedBytes += decoded.damagedBytes
      // Nothing understood of so much: a frame larger than what was read of it.
      this.#makeRoom(isFull && consumedBytes === 0 ? room * 2 : READ_BYTES)
      const enough = clicks.length >= maxClicks || to - start >= MAX_SPOOL_BYTES
      if (isFull && !enough && !ended) continue
      return {
        clicks,
        to,
        full: isFull || enough,
        ended,
        damagedBytes,
        restBytes: bytes.length - consumedBytes,
      }
    }
  }

  async #enrich(clicks: readonly Click[]): Promise<StoredClick[]> {
    const { countryOf, salt } = this.#deps
    const salts = new Map<number, string>()
    for (const day of new Set(clicks.map(({ atMs }) => dayOf(atMs)))) salts.set(day, await salt(day))
    return enrichAll(clicks, { countryOf, saltOf: (day) => salts.get(day) ?? '' })
  }

  #makeRoom(bytes: number): void {
    if (bytes !== this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(bytes)
  }
}

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
