import { type Batch, linkKeys, UUID_BYTES, uuidKey, uuidText } from '../batches/packed-batch.ts'
import { BOT, KIND_BITS, KINDS, SCANNED, sourceOf } from '../batches/stored-click.ts'
import { DAY_MS } from '../../work/times.ts'
import { type FigureSums, QUARTER_MS, QUARTERS_OF_A_DAY, type Range } from './figures.ts'
import type { Dimension, FilterField, FiguresQuery } from './statistics.ts'

const LINK_KIND = KINDS.indexOf('link')
/** Links and pages come first; later kinds are clicks on parts of a page. */
const LAST_VISIT_KIND = KINDS.indexOf('page')
const FLAGS = 16
const HIGH = 2 ** 32

interface Condition {
  readonly indexes: ArrayLike<number>
  readonly isWanted: Uint8Array
}

/** Adds up single clicks for a query. Batches are given day by day. */
export class Scan {
  readonly #query: FiguresQuery
  readonly #range: Range
  readonly #sums: FigureSums
  readonly #scope: ReadonlySet<string> | undefined
  readonly #acceptedFlags: Uint8Array
  readonly #visitors = new DayVisitors()
  /** Clicks and bots of each quarter of an hour of the current day. */
  readonly #clicks = new Uint32Array(QUARTERS_OF_A_DAY)
  readonly #bots = new Uint32Array(QUARTERS_OF_A_DAY)
  #day: number | undefined

  constructor(query: FiguresQuery, range: Range, sums: FigureSums) {
    this.#query = query
    this.#range = range
    this.#sums = sums
    this.#scope = query.scope && new Set(query.scope.map(uuidKey))
    this.#acceptedFlags = acceptedFlags(query)
  }

  add(batch: Batch, day: number): void {
    const [from, to] = this.#placesOf(batch, day)
    if (from >= to) return
    if (day !== this.#day) this.end()
    this.#day = day
    const conditions = this.#conditions(batch)
    if (conditions === undefined) return
    const { flags, times, visitors } = batch
    const accepted = this.#acceptedFlags
    const counted = new Uint32Array(this.#sums.by.length > 0 ? to - from : 0)
    let count = 0
    for (let at = from; at < to; at++) {
      const flag = flags[at]!
      if (accepted[flag] !== 1 || !holdsAll(conditions, at)) continue
      const isBot = (flag & BOT) !== 0
      // Breakdowns leave out bots, unless the query is about bots only.
      if (!isBot || this.#query.bot === true) counted[count++] = at
      if ((flag & KIND_BITS) > LAST_VISIT_KIND) continue
      const quarter = Math.floor(times[at]! / QUARTER_MS)
      if (isBot) {
        this.#bots[quarter]!++
        continue
      }
      this.#clicks[quarter]!++
      this.#visitors.add(visitors.high[at]! * HIGH + visitors.low[at]!, quarter)
    }
    for (const dimension of this.#sums.by) addValues(batch, dimension, counted.subarray(0, count), this.#sums)
  }

  /** Call after the last batch. */
  end(): void {
    if (this.#day === undefined) return
    const uniques = this.#visitors.takeByQuarter()
    for (let quarter = 0; quarter < QUARTERS_OF_A_DAY; quarter++) {
      const [clicks, bots] = [this.#clicks[quarter]!, this.#bots[quarter]!]
      if (clicks + bots > 0)
        this.#sums.addTally(this.#day + quarter * QUARTER_MS, clicks, uniques[quarter]!, bots)
    }
    this.#clicks.fill(0)
    this.#bots.fill(0)
    this.#day = undefined
  }

  /** The conditions to check for every click; `undefined` if no click of the batch can match. */
  #conditions(batch: Batch): Condition[] | undefined {
    const conditions: Condition[] = []
    for (const [field, wanted] of this.#query.filters) {
      if (field === 'source') continue
      const { texts, indexes } = batch.texts(field satisfies FilterField)
      const isWanted = Uint8Array.from(texts, (text) => (wanted.has(text) ? 1 : 0))
      if (!isWanted.includes(1)) return undefined
      if (indexes !== undefined) conditions.push({ indexes, isWanted })
    }
    if (this.#scope === undefined) return conditions
    const { links } = batch
    const keys = linkKeys(links)
    const isWanted = new Uint8Array(keys.length)
    for (let link = 0; link < keys.length; link++) if (this.#scope.has(keys[link]!)) isWanted[link] = 1
    if (!isWanted.includes(1)) return undefined
    if (links.indexes !== undefined) conditions.push({ indexes: links.indexes, isWanted })
    return conditions
  }

  /** The slice of clicks within the range, which are sorted by time. */
  #placesOf({ times }: Batch, day: number): [from: number, to: number] {
    const { fromMs, toMs } = this.#range
    return [
      fromMs <= day ? 0 : firstFrom(times, fromMs - day),
      toMs >= day + DAY_MS ? times.length : firstFrom(times, toMs - day),
    ]
  }
}

function holdsAll(conditions: readonly Condition[], at: number): boolean {
  for (let n = 0; n < conditions.length; n++) {
    const { indexes, isWanted } = conditions[n]!
    if (isWanted[indexes[at]!] !== 1) return false
  }
  return true
}

/** Binary search: the first index whose time is this or later. */
function firstFrom(times: Uint32Array, time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < time) low = middle + 1
    else high = middle
  }
  return low
}

/** By value of the flags: 1 for the kinds, sources and bots that a query is about. */
function acceptedFlags({ scope, filters, bot }: FiguresQuery): Uint8Array {
  const sources = filters.get('source')
  return Uint8Array.from({ length: FLAGS }, (_, flags) => {
    const isKind = scope !== undefined || (flags & KIND_BITS) === LINK_KIND
    const isSource = sources === undefined || sources.has(sourceOf((flags & SCANNED) !== 0))
    const isBot = bot === undefined || bot === ((flags & BOT) !== 0)
    return isKind && isSource && isBot ? 1 : 0
  })
}

/** Counts how often each value of a dimension occurs in some clicks of a batch. */
function addValues(batch: Batch, by: Dimension, places: Uint32Array, sums: FigureSums): void {
  const { flags } = batch
  if (by === 'source') {
    const counts = { link: 0, qr: 0 }
    for (const at of places)
      if ((flags[at]! & KIND_BITS) <= LAST_VISIT_KIND) counts[sourceOf((flags[at]! & SCANNED) !== 0)]++
    for (const [value, clicks] of Object.entries(counts)) if (clicks > 0) sums.addValue(by, value, clicks)
    return
  }
  const { count, indexes, valueOf } = columnOf(batch, by)
  const [firstKind, lastKind] =
    by === 'button' || by === 'icon' ? [KINDS.indexOf(by), KINDS.indexOf(by)] : [LINK_KIND, LAST_VISIT_KIND]
  const counts = new Uint32Array(count)
  for (const at of places) {
    const kind = flags[at]! & KIND_BITS
    if (kind >= firstKind && kind <= lastKind) counts[indexes === undefined ? 0 : indexes[at]!]!++
  }
  for (let value = 0; value < count; value++)
    if (counts[value]! > 0) sums.addValue(by, valueOf(value), counts[value]!)
}

function columnOf(batch: Batch, by: Exclude<Dimension, 'source'>) {
  if (by === 'link') {
    const { uuids, count, indexes } = batch.links
    return { count, indexes, valueOf: (link: number) => uuidText(uuids, link * UUID_BYTES) }
  }
  const { texts, indexes } = batch.texts(by === 'button' || by === 'icon' ? 'detail' : by)
  return { count: texts.length, indexes, valueOf: (text: number) => texts[text]! }
}

const FIRST_SLOTS = 4_096

/**
 * The distinct visitors of a day, and the quarter of an hour of each first click. An open-addressing hash table: a `Set` of
 * numbers and an object for each take five times as long.
 */
class DayVisitors {
  /** Visitors plus one; 0 is a free slot. */
  #slots = new Float64Array(FIRST_SLOTS)
  #quarters = new Uint8Array(FIRST_SLOTS)
  #count = 0

  add(visitor: number, quarter: number): void {
    if (this.#count * 2 >= this.#slots.length) this.#grow()
    this.#put(visitor + 1, quarter)
  }

  /** Returns the number of visitors whose first click was in each quarter of an hour, and resets the table. */
  takeByQuarter(): Uint32Array {
    const counts = new Uint32Array(QUARTERS_OF_A_DAY)
    for (let slot = 0; slot < this.#slots.length; slot++)
      if (this.#slots[slot] !== 0) counts[this.#quarters[slot]!]!++
    this.#slots.fill(0)
    this.#count = 0
    return counts
  }

  /** Visitor numbers are random, so their lower bits serve as the hash. */
  #put(key: number, quarter: number): void {
    const mask = this.#slots.length - 1
    for (let slot = (key % HIGH) & mask; ; slot = (slot + 1) & mask) {
      const found = this.#slots[slot]
      if (found === key) {
        if (quarter < this.#quarters[slot]!) this.#quarters[slot] = quarter
        return
      }
      if (found !== 0) continue
      this.#slots[slot] = key
      this.#quarters[slot] = quarter
      this.#count++
      return
    }
  }

  #grow(): void {
    const [slots, quarters] = [this.#slots, this.#quarters]
    this.#slots = new Float64Array(slots.length * 2)
    this.#quarters = new Uint8Array(slots.length * 2)
    this.#count = 0
    for (let slot = 0; slot < slots.length; slot++)
      if (slots[slot] !== 0) this.#put(slots[slot]!, quarters[slot]!)
  }
}
