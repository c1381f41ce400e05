import { type Batch, UUID_BYTES, uuidText } from '../../batches/packed-batch.ts'
import { BOT, KIND_BITS, KINDS, SCANNED, sourceOf } from '../../batches/stored-click.ts'
import { DAY_MS } from '../../../work/times.ts'
import { type FigureSums, QUARTER_MS, QUARTERS_OF_A_DAY, type Range } from '../figures.ts'
import type { Dimension, FilterField, FiguresQuery } from '../statistics.ts'

const LINK_KIND = KINDS.indexOf('link')
/** Links and pages come first; later kinds are clicks on parts of a page. */
const LAST_VISIT_KIND = KINDS.indexOf('page')
const FLAGS = 16

interface Condition {
  readonly indexes: ArrayLike<number>
  readonly isWanted: Uint8Array
}

/** Adds up single clicks for a query. Batches are given day by day. */
export class Scan {
  readonly #query: FiguresQuery
  readonly #range: Range
  readonly #sums: FigureSums
  readonly #scope: UuidSet | undefined
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
    this.#scope = query.scope && new UuidSet(query.scope)
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
      this.#visitors.add(visitors.low[at]!, visitors.high[at]!, quarter)
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
    const isWanted = new Uint8Array(links.count)
    for (let link = 0; link < links.count; link++)
      if (this.#scope.has(links.uuids, link * UUID_BYTES)) isWanted[link] = 1
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

const UUID_WORDS = UUID_BYTES / 4

/**
 * The links of a scope. An open-addressing hash table: a `Set` needs a string for each link of each batch, which takes longer
 * than counting its clicks.
 */
class UuidSet {
  /** Four words for each slot. A slot whose words are 0 is free: no link has that uuid. */
  readonly #slots: Uint32Array
  readonly #mask: number

  constructor(uuids: readonly string[]) {
    const count = 2 ** Math.ceil(Math.log2(uuids.length * 2 + 1))
    this.#slots = new Uint32Array(count * UUID_WORDS)
    this.#mask = count - 1
    for (const uuid of uuids) {
      const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex')
      const slot = this.#find(bytes, 0)
      for (let word = 0; word < UUID_WORDS; word++) this.#slots[slot + word] = bytes.readUInt32LE(word * 4)
    }
  }

  has(bytes: Buffer, at: number): boolean {
    const slot = this.#find(bytes, at)
    return !this.#isFree(slot)
  }

  /** The slot of a uuid, or the free one where it belongs. The end of a uuid is random and serves as the hash. */
  #find(bytes: Buffer, at: number): number {
    const slots = this.#slots
    const [first, second] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
    const [third, last] = [bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)]
    for (let place = last & this.#mask; ; place = (place + 1) & this.#mask) {
      const slot = place * UUID_WORDS
      const isSame =
        slots[slot + 3] === last &&
        slots[slot + 2] === third &&
        slots[slot + 1] === second &&
        slots[slot] === first
      if (isSame || this.#isFree(slot)) return slot
    }
  }

  #isFree(slot: number): boolean {
    const slots = this.#slots
    return slots[slot] === 0 && slots[slot + 1] === 0 && slots[slot + 2] === 0 && slots[slot + 3] === 0
  }
}

const FIRST_SLOTS = 4_096

/**
 * The distinct visitors of a day, and the quarter of an hour of each first click. An open-addressing hash table: a `Set` of
 * numbers and an object for each take five times as long.
 */
class DayVisitors {
  #lows = new Uint32Array(FIRST_SLOTS)
  #highs = new Uint16Array(FIRST_SLOTS)
  /** Quarters plus one; 0 is a free slot. */
  #quarters = new Uint8Array(FIRST_SLOTS)
  #count = 0

  /** The lower 32 and the upper 16 bits of a visitor. They are random, so the lower ones serve as the hash. */
  add(low: number, high: number, quarter: number): void {
    if (this.#count * 2 >= this.#lows.length) this.#grow()
    this.#put(low, high, quarter + 1)
  }

  /** Returns the number of visitors whose first click was in each quarter of an hour, and resets the table. */
  takeByQuarter(): Uint32Array {
    const counts = new Uint32Array(QUARTERS_OF_A_DAY + 1)
    for (const quarter of this.#quarters) counts[quarter]!++
    this.#quarters.fill(0)
    this.#count = 0
    return counts.subarray(1)
  }

  #put(low: number, high: number, quarter: number): void {
    const [lows, highs, quarters] = [this.#lows, this.#highs, this.#quarters]
    const mask = lows.length - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const found = quarters[slot]!
      if (found === 0) {
        lows[slot] = low
        highs[slot] = high
        quarters[slot] = quarter
        this.#count++
        return
      }
      if (lows[slot] !== low || highs[slot] !== high) continue
      if (quarter < found) quarters[slot] = quarter
      return
    }
  }

  #grow(): void {
    const [lows, highs, quarters] = [this.#lows, this.#highs, this.#quarters]
    const slots = lows.length * 2
    this.#lows = new Uint32Array(slots)
    this.#highs = new Uint16Array(slots)
    this.#quarters = new Uint8Array(slots)
    this.#count = 0
    for (let slot = 0; slot < lows.length; slot++)
      if (quarters[slot] !== 0) this.#put(lows[slot]!, highs[slot]!, quarters[slot]!)
  }
}
