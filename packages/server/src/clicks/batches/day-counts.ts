import { visitDimensions } from '@waymark/contract'
import type { DayCounts, Dimension, HourTally } from '../counting/day-texts.ts'
import { ALL_LINKS, scopeKey } from '../counting/scope-key.ts'
import { ValueCounts } from '../counting/value-counts.ts'
import type { Batch, TextColumn } from './batch.ts'
import { BOT, FIRST_OF_RESOURCE, FIRST_OF_USER, KIND_BITS, KINDS, SCANNED } from './kept-click.ts'
import { QUARTER_MS, sourceOf } from './dimensions.ts'

/** What a day of one link, page or user adds up to. */
export interface ScopeCounts extends DayCounts {
  readonly scopeKey: number
}

type Sums = { readonly hours: HourTally[]; readonly values: Partial<Record<Dimension, ValueCounts>> }

/** Adds up a batch for each link and page in it, and for all links of the user together. */
export function dayCountsOf(batch: Batch, day: number): ScopeCounts[] {
  const { resourceUuid } = batch.columns
  const byResource = resourceUuid.texts.map((): Sums => ({ hours: [], values: {} }))
  const all: Sums = { hours: [], values: {} }
  for (let at = 0; at < batch.clicks; at++) {
    const sums = byResource[resourceUuid.indexes?.[at] ?? 0]
    if (sums !== undefined) addClick(sums, batch, day, at, FIRST_OF_RESOURCE)
    if (KINDS[(batch.flags[at] ?? 0) & KIND_BITS] === 'link') addClick(all, batch, day, at, FIRST_OF_USER)
  }
  const counted = byResource.map((sums, at) => ({
    day,
    scopeKey: scopeKey(resourceUuid.texts[at] ?? ''),
    ...sums,
  }))
  return all.hours.length === 0 ? counted : [...counted, { day, scopeKey: ALL_LINKS, ...all }]
}

function addClick(sums: Sums, batch: Batch, day: number, at: number, firstBit: number): void {
  const flags = batch.flags[at] ?? 0
  const kind = KINDS[flags & KIND_BITS]
  const isBot = (flags & BOT) !== 0
  if (kind === 'button' || kind === 'icon') {
    if (!isBot) count(sums, kind, textAt(batch.columns.detail, at))
    return
  }
  const tally = tallyAt(sums.hours, day + Math.floor((batch.times[at] ?? 0) / QUARTER_MS) * QUARTER_MS)
  if (isBot) {
    tally.bots++
    return
  }
  tally.clicks++
  if ((flags & firstBit) !== 0) tally.uniques++
  for (const dimension of visitDimensions) count(sums, dimension, textAt(batch.columns[dimension], at))
  count(sums, 'source', sourceOf((flags & SCANNED) !== 0))
}

function count({ values }: Sums, dimension: Dimension, value: string): void {
  const counts = (values[dimension] ??= new ValueCounts())
  counts.add(value)
}

function textAt({ texts, indexes }: TextColumn, at: number): string {
  return texts[indexes?.[at] ?? 0] ?? ''
}

/** Clicks come nearly in order: the last quarter of an hour is nearly always the one. */
function tallyAt(tallies: HourTally[], at: number): HourTally {
  const known = tallies.findLast((tally) => tally.at === at)
  if (known !== undefined) return known
  const made = { at, clicks: 0, uniques: 0, bots: 0 }
  tallies.push(made)
  return made
}
