import { type VisitDimension, visitDimensions } from '@waymark/contract'
import {
  type DayTexts,
  type HourTally,
  OTHER_VALUES,
  type Tally,
  tallyOf,
  writeHours,
} from '../counting/day-texts.ts'
import type { Batch, TextColumn } from './batch.ts'
import { QUARTER_MS, QUARTERS_OF_A_DAY, sourceOf } from './dimensions.ts'
import { BOT, FIRST_OF_SUBJECT, KIND_BITS, KINDS, SCANNED } from './kept-click.ts'

/** What some links and pages of a batch add up to, in the form that whole days are kept in. */
export type SubsetCounts = Tally & DayTexts

/** Values of one dimension at most; the rest are counted together. */
const MAX_VALUES = 300
const LAST_VISIT_KIND = KINDS.indexOf('page')

/** Adds up the clicks on some links and pages by everything at once: one pass, and array look-ups alone. */
export function subsetCounts(batch: Batch, day: number, subjects: ReadonlySet<string>): SubsetCounts {
  const { subject, detail } = batch.columns
  const isWanted = Uint8Array.from(subject.texts, (text) => (subjects.has(text) ? 1 : 0))
  const visits = visitDimensions.map((name) => new ColumnSums(batch.columns[name]))
  const targets = { button: new ColumnSums(detail), icon: new ColumnSums(detail) }
  const sources = { link: 0, qr: 0 }
  const quarters = new Uint32Array(QUARTERS_OF_A_DAY * 3)
  for (let at = 0; at < batch.clicks; at++) {
    if (isWanted[subject.indexes?.[at] ?? 0] !== 1) continue
    const flags = batch.flags[at] ?? 0
    const kind = flags & KIND_BITS
    const isBot = (flags & BOT) !== 0
    if (kind > LAST_VISIT_KIND) {
      if (!isBot) targets[KINDS[kind] === 'button' ? 'button' : 'icon'].add(at)
      continue
    }
    const quarter = Math.floor((batch.times[at] ?? 0) / QUARTER_MS) * 3
    if (isBot) {
      quarters[quarter + 2]!++
      continue
    }
    quarters[quarter]!++
    if ((flags & FIRST_OF_SUBJECT) !== 0) quarters[quarter + 1]!++
    for (const sums of visits) sums.add(at)
    sources[sourceOf((flags & SCANNED) !== 0)]++
  }
  const hours = talliesOf(quarters, day)
  return {
    ...tallyOf({ hours }),
    hours: writeHours(hours, day),
    ...(Object.fromEntries(visitDimensions.map((name, at) => [name, visits[at]?.text ?? ''])) as Record<
      VisitDimension,
      string
    >),
    button: targets.button.text,
    icon: targets.icon.text,
    source: textOf(Object.entries(sources)),
  }
}

function talliesOf(quarters: Uint32Array, day: number): HourTally[] {
  const tallies: HourTally[] = []
  for (let quarter = 0; quarter < QUARTERS_OF_A_DAY; quarter++) {
    const [clicks = 0, uniques = 0, bots = 0] = quarters.subarray(quarter * 3, quarter * 3 + 3)
    if (clicks + bots > 0) tallies.push({ at: day + quarter * QUARTER_MS, clicks, uniques, bots })
  }
  return tallies
}

/** How often each text of a column came up. */
class ColumnSums {
  readonly #column: TextColumn
  readonly #sums: Uint32Array

  constructor(column: TextColumn) {
    this.#column = column
    this.#sums = new Uint32Array(column.texts.length)
  }

  add(at: number): void {
    this.#sums[this.#column.indexes?.[at] ?? 0]!++
  }

  get text(): string {
    return textOf(this.#column.texts.map((value, number) => [value, this.#sums[number] ?? 0]))
  }
}

/** `[value, clicks, …]`. What is not known is what is missing to the clicks. */
function textOf(counts: readonly (readonly [value: string, clicks: number])[]): string {
  const known = counts.filter(([value, clicks]) => value !== '' && clicks > 0)
  if (known.length === 0) return ''
  const sorted = known.toSorted(([, a], [, b]) => b - a)
  const rest = sorted.slice(MAX_VALUES).reduce((sum, [, clicks]) => sum + clicks, 0)
  const listed = sorted.slice(0, MAX_VALUES)
  return JSON.stringify([...listed, ...(rest > 0 ? [[OTHER_VALUES, rest]] : [])].flat())
}
