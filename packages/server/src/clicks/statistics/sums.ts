import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { countedDimensions, type CountedDimension } from '@waymark/contract'
import {
  type Batch,
  linkKeys,
  mergeBatches,
  Batch as PackedBatch,
  uuidText,
} from '../batches/packed-batch.ts'
import { BOT, KIND_BITS, KINDS, SCANNED, sourceOf } from '../batches/stored-click.ts'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'
import { MAX_VALUES, OTHER_VALUES, type Period, withOthers } from './figures.ts'
import type { FiguresQuery } from './statistics.ts'

/*
 * Sums replace single clicks after the retention, by workspace, UTC month and link. A part of a month has a row for its
 * links, a row for time, and a row for each dimension with a known value, so that a query reads three rows. Each row is
 * compressed with deflate. All numbers have variable length (LEB128).
 *
 *   links       for each link or page: 1 for a link, 0 for a page; 16 bytes
 *   time        day, link, number of hours; hour, clicks, visitors and bots of each
 *   dimension   number of texts; length and UTF-8 of each; then day, link, number of values; text and clicks of each
 *
 * Days and links are ascending. A day is its number in the month plus one, a link its distance from the one before; 0 ends
 * the links of a day and the days. Unknown values are not stored: unknown = clicks minus the sum of the known values.
 */

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

const LINK_KIND = KINDS.indexOf('link')
const LAST_VISIT_KIND = KINDS.indexOf('page')
const HOURS = 24
const DAYS_OF_A_MONTH = 31
const HIGH = 2 ** 32
const UUID_BYTES = 16
/** Days with more clicks are summed in pieces, and a visitor counts once in each. */
const MAX_CLICKS_AT_ONCE = 1_000_000

export interface SumsRow {
  readonly dimension: string
  readonly data: Uint8Array
}

/** The first millisecond of the UTC month. */
export function monthOf(atMs: number): number {
  const at = new Date(atMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth())
}

/** Sums days of one workspace and month. */
export class SumsBuilder {
  readonly #monthMs: number
  readonly #links = new Map<string, number>()
  readonly #kinds: number[] = []
  readonly #time = new ByteWriter()
  readonly #dimensions = countedDimensions.map((name) => new DimensionWriter(name))

  constructor(monthMs: number) {
    this.#monthMs = monthMs
  }

  /** Call with days in ascending order, and all batches of a day at once. `rest` is awaited between pieces of work. */
  async addDay(dayMs: number, batches: readonly Batch[], rest: () => Promise<void>): Promise<void> {
    const day = Math.round((dayMs - this.#monthMs) / DAY_MS) + 1
    for (const some of inGroups(batches)) {
      const batch = new PackedBatch(mergeBatches(some))
      const links = this.#linksOf(batch)
      this.#addTimes(day, batch, links)
      for (const dimension of this.#dimensions) {
        await rest()
        dimension.addDay(day, batch, links)
      }
    }
  }

  async pack(): Promise<SumsRow[]> {
    const links = new ByteWriter()
    for (const [key, number] of this.#links) {
      links.number(this.#kinds[number] === LINK_KIND ? 1 : 0)
      links.bytes(Buffer.from(key, 'latin1'))
    }
    this.#time.number(0)
    const rows = [
      { dimension: 'links', data: links.written },
      { dimension: 'time', data: this.#time.written },
      ...this.#dimensions.flatMap((dimension) => dimension.row ?? []),
    ]
    return Promise.all(rows.map(async ({ dimension, data }) => ({ dimension, data: await deflate(data) })))
  }

  /** The links of a batch by their number in the sums, with the indexes of their clicks by time. */
  #linksOf(batch: Batch): LinkPlaces[] {
    const { links, flags, clicks } = batch
    const keys = linkKeys(links)
    const counts = new Uint32Array(keys.length + 1)
    for (let at = 0; at < clicks; at++) counts[(links.indexes?.[at] ?? 0) + 1]!++
    for (let link = 0; link < keys.length; link++) counts[link + 1]! += counts[link]!
    const next = counts.slice()
    const places = new Uint32Array(clicks)
    for (let at = 0; at < clicks; at++) places[next[links.indexes?.[at] ?? 0]!++] = at
    const own = keys.map((key, link): LinkPlaces => {
      const ownPlaces = places.subarray(counts[link], counts[link + 1])
      let number = this.#links.get(key)
      if (number === undefined) this.#links.set(key, (number = this.#links.size))
      this.#kinds[number] = (flags[ownPlaces[0] ?? 0] ?? 0) & KIND_BITS
      return { number, places: ownPlaces }
    })
    return own.sort((a, b) => a.number - b.number)
  }

  #addTimes(day: number, { flags, times, visitors }: Batch, links: readonly LinkPlaces[]): void {
    const out = this.#time
    const [clicks, uniques, bots] = [new Uint32Array(HOURS), new Uint32Array(HOURS), new Uint32Array(HOURS)]
    const seen = new Set<number>()
    out.number(day)
    let last = -1
    for (const { number, places } of links) {
      for (const at of places) {
        const flag = flags[at]!
        if ((flag & KIND_BITS) > LAST_VISIT_KIND) continue
        const hour = Math.floor(times[at]! / HOUR_MS)
        if ((flag & BOT) !== 0) {
          bots[hour]!++
          continue
        }
        clicks[hour]!++
        const visitor = visitors.high[at]! * HIGH + visitors.low[at]!
        if (!seen.has(visitor)) uniques[hour]!++
        seen.add(visitor)
      }
      seen.clear()
      const hours = Array.from({ length: HOURS }, (_, hour) => hour).filter(
        (hour) => clicks[hour]! + bots[hour]! > 0,
      )
      if (hours.length > 0) {
        out.number(number - last)
        last = number
        out.number(hours.length)
      }
      for (const hour of hours) {
        out.number(hour)
        out.number(clicks[hour]!)
        out.number(uniques[hour]!)
        out.number(bots[hour]!)
        clicks[hour] = uniques[hour] = bots[hour] = 0
      }
    }
    out.number(0)
  }
}

/** A link by its number in the sums, and the indexes of its clicks in a batch. */
interface LinkPlaces {
  readonly number: number
  readonly places: Uint32Array
}

function* inGroups(batches: readonly Batch[]): Generator<readonly Batch[]> {
  let group: Batch[] = []
  let clicks = 0
  for (const batch of batches) {
    if (group.length > 0 && clicks + batch.clicks > MAX_CLICKS_AT_ONCE) {
      yield group
      group = []
      clicks = 0
    }
    group.push(batch)
    clicks += batch.clicks
  }
  if (group.length > 0) yield group
}

/** The values of one dimension, by day and link. */
class DimensionWriter {
  readonly #name: CountedDimension
  readonly #texts = new Map<string, number>()
  readonly #out = new ByteWriter()

  constructor(name: CountedDimension) {
    this.#name = name
  }

  addDay(day: number, batch: Batch, links: readonly LinkPlaces[]): void {
    const valueOf = valuesOf(this.#name, batch)
    if (valueOf === undefined) return
    const counts = new Map<string, number>()
    this.#out.number(day)
    let last = -1
    for (const { number, places } of links) {
      for (const at of places) {
        const value = valueOf(at)
        if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
      }
      if (counts.size === 0) continue
      const listed = counts.size > MAX_VALUES ? withOthers(counts) : [...counts]
      this.#out.number(number - last)
      last = number
      this.#out.number(listed.length)
      for (const [value, clicks] of listed) {
        this.#out.number(this.#textOf(value))
        this.#out.number(clicks)
      }
      counts.clear()
    }
    this.#out.number(0)
  }

  /** Undefined if no click had a value. */
  get row(): SumsRow | undefined {
    if (this.#texts.size === 0) return undefined
    const row = new ByteWriter()
    row.number(this.#texts.size)
    for (const text of this.#texts.keys()) {
      const bytes = Buffer.from(text)
      row.number(bytes.length)
      row.bytes(bytes)
    }
    row.bytes(this.#out.written)
    row.number(0)
    return { dimension: this.#name, data: row.written }
  }

  #textOf(value: string): number {
    let number = this.#texts.get(value)
    if (number === undefined) this.#texts.set(value, (number = this.#texts.size))
    return number
  }
}

/** The value of each click that counts, '' for others; `undefined` if no click of the batch has a value. */
function valuesOf(name: CountedDimension, batch: Batch): ((at: number) => string) | undefined {
  const { flags } = batch
  const isVisit = (flag: number): boolean => (flag & KIND_BITS) <= LAST_VISIT_KIND && (flag & BOT) === 0
  if (name === 'source') return (at) => (isVisit(flags[at]!) ? sourceOf((flags[at]! & SCANNED) !== 0) : '')
  const ofPage = name === 'button' || name === 'icon'
  const { texts, indexes } = batch.texts(ofPage ? 'detail' : name)
  if (texts.every((text) => text === '')) return undefined
  const kind = KINDS.indexOf(ofPage ? name : 'link')
  const counts = ofPage ? (flag: number): boolean => (flag & (KIND_BITS | BOT)) === kind : isVisit
  return (at) => (counts(flags[at]!) ? (texts[indexes?.[at] ?? 0] ?? '') : '')
}

/** The rows of one part of a month that a query needs. */
export interface SumsPart {
  readonly monthMs: number
  readonly links: Uint8Array
  readonly time: Uint8Array
  /** By dimension; missing if no click had a value. */
  readonly values: ReadonlyMap<string, Uint8Array>
}

/** Adds the sums of a part to the figures of a query without filters. */
export async function addSums(
  part: SumsPart,
  { scope }: FiguresQuery,
  { range: { fromMs, toMs }, sums }: Period,
): Promise<void> {
  const links = readLinks(await inflate(part.links))
  const wanted = scope && new Set(scope)
  const isWanted = Uint8Array.from(links, ({ uuid, isLink }) => ((wanted?.has(uuid) ?? isLink) ? 1 : 0))
  if (!isWanted.includes(1)) return
  const isWithin = (atMs: number): boolean => atMs >= fromMs && atMs < toMs
  // Values are stored by UTC day. A day belongs to the period that contains its noon, so adjacent periods share none.
  const hasValues = (dayMs: number): boolean => isWithin(dayMs + DAY_MS / 2)
  const dayMsOf = (day: number): number => part.monthMs + day * DAY_MS
  const hours = new Map<number, [clicks: number, uniques: number, bots: number]>()
  let clicksOfDays = 0
  eachTime(await inflate(part.time), (day, link, hour, clicks, uniques, bots) => {
    if (isWanted[link] !== 1) return
    if (hasValues(dayMsOf(day))) clicksOfDays += clicks
    const atMs = dayMsOf(day) + hour * HOUR_MS
    if (!isWithin(atMs)) return
    if (clicks > 0) sums.addValue('link', links[link]?.uuid ?? '', clicks)
    const tally = hours.get(atMs)
    if (tally === undefined) hours.set(atMs, [clicks, uniques, bots])
    else {
      tally[0] += clicks
      tally[1] += uniques
      tally[2] += bots
    }
  })
  for (const [atMs, [clicks, uniques, bots]] of hours) {
    sums.addTally(atMs, clicks, uniques, bots)
    sums.uniquesExact = false
  }
  for (const dimension of sums.by) {
    if (dimension === 'link') continue
    let unknown = dimension === 'button' || dimension === 'icon' ? 0 : clicksOfDays
    const values = part.values.get(dimension)
    if (values !== undefined)
      eachValue(await inflate(values), (day, link, value, clicks) => {
        if (isWanted[link] !== 1 || !hasValues(dayMsOf(day))) return
        sums.addValue(dimension, value, clicks)
        unknown -= clicks
      })
    if (unknown > 0) sums.addValue(dimension, '', unknown)
  }
}

/** All sums of a part as plain rows, one day and dimension at a time. */
export async function* plainSums(
  monthMs: number,
  rows: readonly SumsRow[],
): AsyncGenerator<Readonly<Record<string, string | number>>[]> {
  const found = rows.find(({ dimension }) => dimension === 'links')
  if (found === undefined) return
  const links = readLinks(await inflate(found.data))
  const atOf = (day: number, hour = 0): string =>
    new Date(monthMs + day * DAY_MS + hour * HOUR_MS).toISOString()
  for (const { dimension, data } of rows) {
    if (dimension === 'links') continue
    const bytes = await inflate(data)
    for (let day = 0; day < DAYS_OF_A_MONTH; day++) {
      const plain: Readonly<Record<string, string | number>>[] = []
      const add = (link: number, sums: Readonly<Record<string, string | number>>): number =>
        plain.push({ resource_uuid: links[link]?.uuid ?? '', ...sums })
      if (dimension === 'time')
        eachTime(bytes, (at, link, hour, clicks, uniques, bots) => {
          if (at === day) add(link, { hour: atOf(day, hour), clicks, uniques, bots })
        })
      else
        eachValue(bytes, (at, link, value, clicks) => {
          if (at === day) add(link, { day: atOf(day).slice(0, 10), dimension, value, clicks })
        })
      yield plain
    }
  }
}

function readLinks(bytes: Buffer): { readonly uuid: string; readonly isLink: boolean }[] {
  return Array.from({ length: bytes.length / (1 + UUID_BYTES) }, (_, link) => {
    const at = link * (1 + UUID_BYTES)
    return { uuid: uuidText(bytes, at + 1), isLink: bytes[at] === 1 }
  })
}

type TakeTime = (
  day: number,
  link: number,
  hour: number,
  clicks: number,
  uniques: number,
  bots: number,
) => void

function eachTime(bytes: Buffer, take: TakeTime): void {
  const read = new ByteReader(bytes)
  read.eachDay((day, link, hours) => {
    for (let left = hours; left > 0; left--)
      take(day, link, read.number(), read.number(), read.number(), read.number())
  })
}

function eachValue(
  bytes: Buffer,
  take: (day: number, link: number, value: string, clicks: number) => void,
): void {
  const read = new ByteReader(bytes)
  const texts = Array.from({ length: read.number() }, () => read.text())
  read.eachDay((day, link, values) => {
    for (let left = values; left > 0; left--)
      take(day, link, texts[read.number()] ?? OTHER_VALUES, read.number())
  })
}

class ByteWriter {
  #bytes = Buffer.allocUnsafe(1_024)
  #length = 0

  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  number(number: number): void {
    this.#reserve(8)
    let rest = number
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
    this.#bytes[this.#length++] = rest
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe((this.#length + bytes) * 2)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  number(): number {
    let number = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new RangeError('Sums of clicks are cut off')
      number += (byte & 0x7f) * factor
      if (byte < 0x80) return number
    }
  }

  text(): string {
    const length = this.number()
    this.#at += length
    return this.#bytes.toString('utf8', this.#at - length, this.#at)
  }

  /** `take` must read the entries of each link. */
  eachDay(take: (day: number, link: number, entries: number) => void): void {
    for (let day = this.number(); day > 0; day = this.number()) {
      let link = -1
      for (let distance = this.number(); distance > 0; distance = this.number()) {
        link += distance
        take(day - 1, link, this.number())
      }
    }
  }
}
