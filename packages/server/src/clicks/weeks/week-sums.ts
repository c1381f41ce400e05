import { countedDimensions, visitDimensions } from '@waymark/contract'
import type { Batch, TextColumn } from '../batches/batch.ts'
import { QUARTER_MS, QUARTERS_OF_A_DAY, sourceOf } from '../batches/dimensions.ts'
import { BOT, FIRST_OF_RESOURCE, KIND_BITS, KINDS, SCANNED } from '../batches/kept-click.ts'
import type { Dimension } from '../counting/day-texts.ts'
import { MAX_VALUES, OTHER_VALUES, withOthers } from '../counting/value-counts.ts'
import { DAY_MS } from '../../work/times.ts'
import { LinkCountsWriter } from './link-counts.ts'
import { COUNT_PARTS, type CountPart, QUARTER_PARTS, type WeekRow } from './week.ts'
import type { WeekLinks } from './week-links.ts'

export interface DayBatch {
  readonly day: number
  readonly batch: Batch
}

/** Of a day or of a quarter of an hour: first clicks of a visitor, other clicks, and bots. Each click is one of them. */
export const TALLY_VALUES = 3
/** Quarters of an hour of a day that are in one part. */
export const QUARTERS_OF_A_PART = QUARTERS_OF_A_DAY / QUARTER_PARTS.length
const [FIRSTS, OTHERS, BOTS] = [0, 1, 2] as const
/** A click that does not count. */
const NONE = 2 ** 32 - 1
const LAST_VISIT_KIND = KINDS.indexOf('page')

/** By place of a click in the week: the number of its value. */
type Column = Uint32Array
interface Values {
  readonly texts: readonly string[]
  readonly limit: number
  readonly column: Column
}

/** Adds up a week of an account for each link and page in it, part by part. */
export function* sumWeek(week: number, batches: readonly DayBatch[], links: WeekLinks): Generator<WeekRow> {
  for (const part of COUNT_PARTS) yield { part, data: countsOf(links, valuesOf(part, week, batches)) }
}

function valuesOf(part: CountPart, week: number, batches: readonly DayBatch[]): Values {
  const dimension = countedDimensions.find((name) => name === part)
  if (dimension !== undefined) return valuesOfDimension(dimension, batches)
  const dayAt = (day: number): number => Math.floor((day - week) / DAY_MS)
  if (part === 'days') return tallies(batches, 7, dayAt)
  const first = QUARTER_PARTS.findIndex((name) => name === part) * QUARTERS_OF_A_PART
  return tallies(batches, 7 * QUARTERS_OF_A_PART, (day, time) => {
    const quarter = Math.floor(time / QUARTER_MS) - first
    return quarter < 0 || quarter >= QUARTERS_OF_A_PART ? NONE : dayAt(day) * QUARTERS_OF_A_PART + quarter
  })
}

function countsOf({ count, starts, order }: WeekLinks, { texts, limit, column }: Values): Uint8Array {
  const writer = new LinkCountsWriter(order.length)
  const sums = new Uint32Array(limit)
  for (let link = 0; link < count; link++) {
    const found: number[] = []
    for (let at = starts[link]!; at < starts[link + 1]!; at++) {
      const value = column[order[at]!]!
      if (value !== NONE && sums[value]!++ === 0) found.push(value)
    }
    for (const value of found) {
      writer.add(link, value, sums[value]!)
      sums[value] = 0
    }
  }
  return writer.pack(texts, limit)
}

const emptyColumn = (batches: readonly DayBatch[]): Column =>
  new Uint32Array(batches.reduce((sum, { batch }) => sum + batch.clicks, 0)).fill(NONE)

/** `slotOf` gives the number of the day or quarter of an hour that a click is in. */
function tallies(
  batches: readonly DayBatch[],
  slots: number,
  slotOf: (day: number, time: number) => number,
): Values {
  const column = emptyColumn(batches)
  let place = 0
  for (const { day, batch } of batches)
    for (let at = 0; at < batch.clicks; at++, place++) {
      const flags = batch.flags[at]!
      if ((flags & KIND_BITS) > LAST_VISIT_KIND) continue
      const slot = slotOf(day, batch.times[at]!)
      if (slot === NONE) continue
      const isFirst = (flags & FIRST_OF_RESOURCE) !== 0
      column[place] = slot * TALLY_VALUES + ((flags & BOT) !== 0 ? BOTS : isFirst ? FIRSTS : OTHERS)
    }
  return { texts: [], limit: slots * TALLY_VALUES, column }
}

/** Bots stand in no breakdown, and what is not known is what is missing to the clicks. */
function valuesOfDimension(dimension: Dimension, batches: readonly DayBatch[]): Values {
  const column = emptyColumn(batches)
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => {
    if (text === '') return NONE
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  }
  const isCounted = countedFlags(dimension)
  let place = 0
  for (const { batch } of batches) {
    const { texts, indexes } = textsOf(batch, dimension)
    const own = Uint32Array.from(texts, numberOf)
    for (let at = 0; at < batch.clicks; at++, place++)
      if (isCounted[batch.flags[at]!] === 1) column[place] = own[indexes?.[at] ?? 0] ?? NONE
  }
  return bounded([...numbers.keys()], column)
}

/** By value of the flags: 1 for the clicks that a dimension is about. */
function countedFlags(dimension: Dimension): Uint8Array {
  const kind = dimension === 'button' || dimension === 'icon' ? KINDS.indexOf(dimension) : undefined
  return Uint8Array.from({ length: 256 }, (_, flags) => {
    const own = flags & KIND_BITS
    const isKind = kind === undefined ? own <= LAST_VISIT_KIND : own === kind
    return isKind && (flags & BOT) === 0 ? 1 : 0
  })
}

const SOURCES = [sourceOf(false), sourceOf(true)]

/** The texts of a dimension, and which of them each click has. */
function textsOf(batch: Batch, dimension: Dimension): TextColumn {
  if (dimension === 'source')
    return { texts: SOURCES, indexes: batch.flags.map((flags) => ((flags & SCANNED) === 0 ? 0 : 1)) }
  return batch.columns[visitDimensions.find((name) => name === dimension) ?? 'detail']
}

/** Visitors choose what stands in a referrer: the most frequent values stay. */
function bounded(texts: readonly string[], column: Column): Values {
  if (texts.length <= MAX_VALUES) return { texts, limit: texts.length, column }
  const counts = new Uint32Array(texts.length)
  for (const value of column) if (value !== NONE) counts[value]!++
  const kept = withOthers(texts.map((text, value) => [text, counts[value]!])).slice(0, MAX_VALUES)
  const numbers = new Map(kept.map(([text], number) => [text, number]))
  const renumbered = Uint32Array.from(texts, (text) => numbers.get(text) ?? MAX_VALUES)
  return {
    texts: [...numbers.keys(), OTHER_VALUES],
    limit: MAX_VALUES + 1,
    column: column.map((value) => (value === NONE ? NONE : renumbered[value]!)),
  }
}
