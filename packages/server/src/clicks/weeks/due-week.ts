import { newBatchId } from '../batches/batch-id.ts'
import { unpackBatch } from '../batches/batch.ts'
import { BOT, KIND_BITS, KINDS } from '../batches/kept-click.ts'
import { DAY_MS } from '../../work/times.ts'
import { FORM, packContents, type WeekRow } from './week.ts'
import { linksOfWeek, packLinks } from './week-links.ts'
import { type DayBatch, sumWeek } from './week-sums.ts'

/** Fewer clicks are gone through in less than a millisecond; more would take hundreds of megabytes to add up. */
const MIN_CLICKS = 1_000
const MAX_CLICKS = 1_000_000

export interface ClosedBatch {
  readonly day: number
  readonly id: string
  readonly data: Uint8Array
}

/** Clicks and bots of all links of the account, as they were counted when the day was closed. */
export interface CountedDay {
  readonly day: number
  readonly clicks: number
  readonly bots: number
}

export const isWorthSumming = (clicks: number): boolean => clicks >= MIN_CLICKS && clicks <= MAX_CLICKS

/** What is to be written for a week. */
export interface DueSums {
  readonly rows: readonly WeekRow[]
  /** The keys of its season, if the week has new ones. */
  readonly seasonKeys: Uint8Array | undefined
}

export const NO_SUMS: DueSums = { rows: [], seasonKeys: undefined }

/** The rows of a week whose season knows some keys. Days of which a part of the clicks is gone are left out. */
export function sumsOfDue(
  week: number,
  closed: readonly ClosedBatch[],
  counted: readonly CountedDay[],
  knownKeys: Uint8Array,
): DueSums {
  const batches = closed.map(({ day, id, data }) => ({ day, id, batch: unpackBatch(data) }))
  const days = Array.from({ length: 7 }, (_, n) => week + n * DAY_MS).filter((day) =>
    isComplete(
      batches.filter((batch) => batch.day === day),
      counted.find((one) => one.day === day),
    ),
  )
  const complete = batches.filter(({ day }) => days.includes(day))
  const contents = packContents({
    form: FORM,
    id: newBatchId(),
    batches: batches.map(({ id }) => id),
    days,
    busyDays: days.filter((day) => complete.some((batch) => batch.day === day)),
  })
  const links = linksOfWeek(
    complete.map(({ batch }) => batch),
    knownKeys,
  )
  if (links === undefined) return NO_SUMS
  return {
    rows: [
      { part: 'contents', data: contents },
      { part: 'links', data: packLinks(links.links) },
      ...sumWeek(week, complete, links),
    ],
    seasonKeys: links.seasonKeys,
  }
}

function isComplete(batches: readonly DayBatch[], counted: CountedDay | undefined): boolean {
  let [clicks, bots] = [counted?.clicks ?? 0, counted?.bots ?? 0]
  const link = KINDS.indexOf('link')
  for (const { batch } of batches)
    for (const flags of batch.flags) {
      if ((flags & KIND_BITS) !== link) continue
      if ((flags & BOT) === 0) clicks--
      else bots--
    }
  return clicks === 0 && bots === 0
}
