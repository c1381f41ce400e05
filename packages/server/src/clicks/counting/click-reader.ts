import { readSync } from 'node:fs'
import { dayOf } from '../../work/times.ts'
import { type Click, decodeFrames } from '../spool/record.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import { plainAddress } from '../attributes/addresses.ts'
import { hostOfReferrer, remembered, languageOf, utmOf, agentOf } from '../attributes/headers.ts'
import { visitorNumbers } from './visitor-numbers.ts'

export interface ClickReaderDeps {
  readonly countryOf: (address: string) => string
  readonly salt: (dayMs: number) => Promise<string>
}

export interface ReadClicks {
  readonly clicks: readonly StoredClick[]
  /** Position in the file after the last complete frame. */
  readonly to: number
  /** More can be read immediately. */
  readonly full: boolean
  /** The writer has marked the file as complete. */
  readonly ended: boolean
  readonly damagedBytes: number
  /** Bytes read but not yet decoded. */
  readonly restBytes: number
}

const READ_BYTES = 1024 * 1024
/** Spool bytes in one batch; clicks with long texts take several times as much memory. */
const MAX_SPOOL_BYTES = 8 * 1024 * 1024

/** Reads clicks from spool files and enriches them. */
export class ClickReader {
  readonly #deps: ClickReaderDeps
  #buffer = Buffer.allocUnsafeSlow(READ_BYTES)

  constructor(deps: ClickReaderDeps) {
    this.#deps = deps
  }

  /** Fills the buffer; its contents are valid until the next read. */
  read(fd: number, position: number): Buffer {
    let length = 0
    while (length < this.#buffer.length) {
      const got = readSync(fd, this.#buffer, length, this.#buffer.length - length, position + length)
      if (got === 0) break
      length += got
    }
    return this.#buffer.subarray(0, length)
  }

  /** Reads until there are enough clicks. A click takes little memory once it is enriched. */
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
      // Nothing could be decoded: the frame is larger than the part that was read.
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
  /** The secret of a day, given its first millisecond in UTC. */
  readonly saltOf: (dayMs: number) => string
}

/** Longest name in DNS. */
const MAX_HOST_CHARS = 253

const MAX_REMEMBERED = 5_000
const MAX_UUIDS = 20_000
const hostOf = remembered(MAX_REMEMBERED, referrerHost)
/** Returns the same string for the same uuid: further lookups then compare only two pointers. */
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

/** Reads headers and address. Visitors choose them: if a parser throws, the click counts with unknown attributes. */
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

/** The host of the referrer, without path and query; '' if it is too long for a host, because a part names another one. */
export function referrerHost(referrer: string): string {
  const host = hostOfReferrer(referrer).replace(/^www\./, '')
  return host.length > MAX_HOST_CHARS ? '' : host
}

/** Cuts `fr-ca` to `fr`: regions would split a language into many rows. */
function withoutRegion(language: string): string {
  const hyphen = language.indexOf('-')
  return hyphen === -1 ? language : language.slice(0, hyphen)
}
