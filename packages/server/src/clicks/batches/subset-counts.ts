import { type VisitDimension, visitDimensions } from '@waymark/contract'
import { type DayTexts, type HourTally, type Tally, tallyOf, writeHours } from '../counting/day-texts.ts'
import { withOthers } from '../counting/value-counts.ts'
import type { Batch, TextColumn } from './batch.ts'
import { QUARTER_MS, QUARTERS_OF_A_DAY, sourceOf } from './dimensions.ts'
import { BOT, FIRST_OF_RESOURCE, KIND_BITS, KINDS, SCANNED } from './kept-click.ts'
import { markTexts } from './selection.ts'

/** What some links and pages of a batch add up to, in the form that whole days are kept in. */
export type SubsetCounts = Tally & DayTexts

const LAST_VISIT_KIND = KINDS.indexOf('page')
const BUTTON_KIND = KINDS.indexOf('button')

/**
 * Adds up the clicks on some links and pages by everything at once. One pass finds the clicks; then each field has a
 * pass of its own, which takes little more than half as long as one pass over all fields.
 */
export function subsetCounts(batch: Batch, day: number, resourceUuids: ReadonlySet<string>): SubsetCounts {
  const { resourceUuid, detail } = batch.columns
  const isWanted = markTexts(resourceUuid.texts, resourceUuids)
  const [visits, buttons, icons] = [
    new Places(batch.clicks),
    new Places(batch.clicks),
    new Places(batch.clicks),
  ]
  const quarters = new Uint32Array(QUARTERS_OF_A_DAY * 3)
  let scans = 0
  for (let at = 0; at < batch.clicks; at++) {
    if (isWanted[resourceUuid.indexes?.[at] ?? 0] !== 1) continue
    const flags = batch.flags[at] ?? 0
    const kind = flags & KIND_BITS
    const isBot = (flags & BOT) !== 0
    if (kind > LAST_VISIT_KIND) {
      if (!isBot) (kind === BUTTON_KIND ? buttons : icons).add(at)
      continue
    }
    const quarter = Math.floor((batch.times[at] ?? 0) / QUARTER_MS) * 3
    if (isBot) {
      quarters[quarter + 2]!++
      continue
    }
    quarters[quarter]!++
    if ((flags & FIRST_OF_RESOURCE) !== 0) quarters[quarter + 1]!++
    if ((flags & SCANNED) !== 0) scans++
    visits.add(at)
  }
  const hours = talliesOf(quarters, day)
  return {
    ...tallyOf({ hours }),
    hours: writeHours(hours, day),
    ...(Object.fromEntries(
      visitDimensions.map((name) => [name, sumsText(batch.columns[name], visits)]),
    ) as Record<VisitDimension, string>),
    button: sumsText(detail, buttons),
    icon: sumsText(detail, icons),
    source: textOf([
      [sourceOf(false), visits.count - scans],
      [sourceOf(true), scans],
    ]),
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

/** Clicks of a batch, by their place in it. */
class Places {
  readonly #places: Uint32Array
  count = 0

  constructor(clicks: number) {
    this.#places = new Uint32Array(clicks)
  }

  add(at: number): void {
    this.#places[this.count++] = at
  }

  get all(): Uint32Array {
    return this.#places.subarray(0, this.count)
  }
}

/** How often each text of a column came up among some clicks. */
function sumsText({ texts, indexes }: TextColumn, places: Places): string {
  const sums = new Uint32Array(texts.length)
  if (indexes === undefined) sums[0] = places.count
  else {
    const { all, count } = places
    for (let n = 0; n < count; n++) sums[indexes[all[n]!]!]!++
  }
  return textOf(texts.map((value, number) => [value, sums[number] ?? 0]))
}

/** `[value, clicks, …]`. What is not known is what is missing to the clicks. */
function textOf(counts: readonly (readonly [value: string, clicks: number])[]): string {
  const known = counts.filter(([value, clicks]) => value !== '' && clicks > 0)
  return known.length === 0 ? '' : JSON.stringify(withOthers(known).flat())
}
