import type { Dimension, Tally } from '../counting/day-texts.ts'
import { DAY_MS } from '../../work/times.ts'
import type { Batch, TextColumn } from './batch.ts'
import { QUARTER_MS, QUARTERS_OF_A_DAY, sourceOf } from './dimensions.ts'
import {
  BOT,
  FIRST_OF_RESOURCE,
  FIRST_OF_USER,
  KIND_BITS,
  KINDS,
  SCANNED,
  type TextField,
} from './kept-click.ts'
import { FEW_WANTED, markTexts, Selection } from './selection.ts'

/** Fields that clicks can be filtered by; `source` stands in the flags. */
export type FilterField = Exclude<TextField, 'resourceUuid' | 'detail'> | 'source'

export interface ScanQuery {
  /** Links and pages; undefined: all links of the user. */
  readonly resourceUuids: ReadonlySet<string> | undefined
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

/** Adds up the clicks of a day that a query is about. */
export function scanBatch(batch: Batch, day: number, query: ScanQuery, sink: ScanSink): void {
  const meant = selectClicks(batch, day, query)
  if (meant.length === 0) return
  const quarters = new Uint32Array(QUARTERS_OF_A_DAY * 3)
  const values = new ValueSums(batch, query.by)
  const firstBit = query.resourceUuids === undefined ? FIRST_OF_USER : FIRST_OF_RESOURCE
  for (const at of meant) {
    const flags = batch.flags[at] ?? 0
    const isBot = (flags & BOT) !== 0
    const kind = flags & KIND_BITS
    // Bots stand in no breakdown, unless they are what is looked for.
    if (!isBot || query.bot === true) values.add(at, kind, flags)
    if (kind > LAST_VISIT_KIND) continue
    const quarter = Math.floor((batch.times[at] ?? 0) / QUARTER_MS) * 3
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

/** The clicks that a query is about, by their place in the batch. */
function selectClicks(batch: Batch, day: number, query: ScanQuery): Uint32Array {
  const { resourceUuids, filters } = query
  const selection = new Selection(batch.clicks)
  // A few links come first, because they leave the fewest clicks to look at.
  const isFew = resourceUuids !== undefined && resourceUuids.size <= FEW_WANTED
  if (isFew) keepTexts(selection, batch.columns.resourceUuid, resourceUuids)
  for (const [field, wanted] of filters)
    if (field !== 'source') keepTexts(selection, batch.columns[field], wanted)
  selection.keep(batch.flags, acceptedFlags(query))
  if (query.fromMs > day || query.toMs < day + DAY_MS)
    selection.keepBetween(batch.times, query.fromMs - day, query.toMs - day)
  // Many come last: a batch can have thousands, and only those of the clicks that are left are looked up.
  if (resourceUuids !== undefined && !isFew) keepLinks(selection, batch.columns.resourceUuid, resourceUuids)
  return selection.places
}

function keepLinks(selection: Selection, column: TextColumn, wanted: ReadonlySet<string>): void {
  const { texts, indexes } = column
  if (indexes === undefined) return keepTexts(selection, column, wanted)
  const marks = selection.textsLeft(indexes, texts.length)
  for (let number = 0; number < texts.length; number++)
    if (marks[number] === 1 && !wanted.has(texts[number]!)) marks[number] = 0
  selection.keep(indexes, marks)
}

function keepTexts(selection: Selection, { texts, indexes }: TextColumn, wanted: ReadonlySet<string>): void {
  const isWanted = markTexts(texts, wanted)
  if (!isWanted.includes(1)) selection.clear()
  else if (indexes !== undefined) selection.keep(indexes, isWanted)
}

/** By value of the flags: 1 for clicks of the kind, source and bots that a query is about. */
function acceptedFlags({ resourceUuids, filters, bot }: ScanQuery): Uint8Array {
  const sources = filters.get('source')
  return Uint8Array.from({ length: 256 }, (_, flags) => {
    const isKind = resourceUuids !== undefined || (flags & KIND_BITS) === LINK_KIND
    const isSource = sources === undefined || sources.has(sourceOf((flags & SCANNED) !== 0))
    const isBot = bot === undefined || bot === ((flags & BOT) !== 0)
    return isKind && isSource && isBot ? 1 : 0
  })
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
