import type { Dimension, Tally } from '../counting/day-texts.ts'
import type { Batch, TextColumn } from './batch.ts'
import { QUARTER_MS, QUARTERS_OF_A_DAY, sourceOf } from './dimensions.ts'
import {
  BOT,
  FIRST_OF_SUBJECT,
  FIRST_OF_USER,
  KIND_BITS,
  KINDS,
  SCANNED,
  type TextField,
} from './kept-click.ts'

/** Fields that clicks can be filtered by; `source` stands in the flags. */
export type FilterField = Exclude<TextField, 'subject' | 'detail'> | 'source'

export interface ScanQuery {
  /** Links and pages; undefined: all links of the user. */
  readonly subjects: ReadonlySet<string> | undefined
  /** A click must have one of the texts of every field given. */
  readonly filters: ReadonlyMap<FilterField, ReadonlySet<string>>
  /** True: bots alone; false: none; undefined: both, counted apart. */
  readonly bot: boolean | undefined
  readonly by: Dimension | undefined
  /** First millisecond, and the one after the last. */
  readonly fromMs: number
  readonly toMs: number
}

export interface ScanSink {
  addTally(atMs: number, tally: Tally): void
  addValue(value: string, clicks: number): void
}

/** Clicks and bots of a quarter of an hour, and visitors: three numbers each. */
const [CLICKS, UNIQUES, BOTS] = [0, 1, 2]

/** Adds up the clicks of a day that a query is about: a look into one array per field and click. */
export function scanBatch(batch: Batch, day: number, query: ScanQuery, sink: ScanSink): void {
  const accepted = acceptedBy(batch, query)
  if (accepted === undefined) return
  const quarters = new Uint32Array(QUARTERS_OF_A_DAY * 3)
  const values = new ValueSums(batch, query.by)
  const firstBit = query.subjects === undefined ? FIRST_OF_USER : FIRST_OF_SUBJECT
  const [from, to] = [query.fromMs - day, query.toMs - day]
  for (let at = 0; at < batch.clicks; at++) {
    const time = batch.times[at] ?? 0
    if (time < from || time >= to || !accepted(at)) continue
    const flags = batch.flags[at] ?? 0
    const isBot = (flags & BOT) !== 0
    if (query.bot !== undefined && query.bot !== isBot) continue
    const kind = flags & KIND_BITS
    // Bots stand in no breakdown, unless they are what is looked for.
    if (!isBot || query.bot === true) values.add(at, kind, flags)
    if (kind > LAST_VISIT_KIND) continue
    const quarter = Math.floor(time / QUARTER_MS) * 3
    quarters[quarter + (isBot ? BOTS : CLICKS)]!++
    if (!isBot && (flags & firstBit) !== 0) quarters[quarter + UNIQUES]!++
  }
  for (let quarter = 0; quarter < QUARTERS_OF_A_DAY; quarter++) {
    const [clicks = 0, uniques = 0, bots = 0] = quarters.subarray(quarter * 3, quarter * 3 + 3)
    if (clicks + bots > 0) sink.addTally(day + quarter * QUARTER_MS, { clicks, uniques, bots })
  }
  values.flush(sink)
}

/** Links and pages come first; what follows are clicks on something on a page. */
const LAST_VISIT_KIND = KINDS.indexOf('page')
const LINK_KIND = KINDS.indexOf('link')

type Accept = (at: number) => boolean

/** `undefined`: none of the batch can be meant. */
function acceptedBy(batch: Batch, { subjects, filters }: ScanQuery): Accept | undefined {
  const tests: Accept[] = []
  if (subjects === undefined) tests.push((at) => ((batch.flags[at] ?? 0) & KIND_BITS) === LINK_KIND)
  else if (!addTest(tests, batch.columns.subject, subjects)) return undefined
  for (const [field, wanted] of filters) {
    if (field === 'source') tests.push((at) => wanted.has(sourceOf(((batch.flags[at] ?? 0) & SCANNED) !== 0)))
    else if (!addTest(tests, batch.columns[field], wanted)) return undefined
  }
  return (at) => {
    for (const test of tests) if (!test(at)) return false
    return true
  }
}

function addTest(tests: Accept[], { texts, indexes }: TextColumn, wanted: ReadonlySet<string>): boolean {
  const isWanted = Uint8Array.from(texts, (text) => (wanted.has(text) ? 1 : 0))
  if (!isWanted.includes(1)) return false
  if (indexes !== undefined) tests.push((at) => isWanted[indexes[at] ?? 0] === 1)
  return true
}

/** How often each text of the breakdown's field came up. */
class ValueSums {
  readonly #column: TextColumn | undefined
  readonly #sums: Uint32Array
  readonly #kind: number | undefined
  readonly #bySource: boolean
  readonly #sources = { link: 0, qr: 0 }

  constructor(batch: Batch, by: Dimension | undefined) {
    this.#bySource = by === 'source'
    if (by === 'button' || by === 'icon') {
      this.#kind = KINDS.indexOf(by)
      this.#column = batch.columns.detail
    } else if (by !== undefined && by !== 'source') {
      this.#column = batch.columns[by]
    }
    this.#sums = new Uint32Array(this.#column?.texts.length ?? 0)
  }

  add(at: number, kind: number, flags: number): void {
    if (this.#kind === undefined ? kind > LAST_VISIT_KIND : kind !== this.#kind) return
    if (this.#bySource) this.#sources[sourceOf((flags & SCANNED) !== 0)]++
    else if (this.#column !== undefined) this.#sums[this.#column.indexes?.[at] ?? 0]!++
  }

  flush(sink: ScanSink): void {
    this.#column?.texts.forEach((text, number) => {
      const clicks = this.#sums[number] ?? 0
      if (clicks > 0) sink.addValue(text, clicks)
    })
    for (const [source, clicks] of Object.entries(this.#sources))
      if (clicks > 0) sink.addValue(source, clicks)
  }
}
