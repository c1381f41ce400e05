import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { DAY_MS } from '../../work/times.ts'
import { readByteRows } from '../../storage/db/byte-rows.ts'
import type { Database } from '../../storage/db/database.ts'
import { scopeKey, scopeKeys } from '../counting/scope-key.ts'
import { KeyIndex } from '../weeks/key-index.ts'
import type { LinkBits } from '../weeks/link-bits.ts'
import { sumsOf, unpackCounts } from '../weeks/link-counts.ts'
import { markKeys, unpackKeys } from '../weeks/season-links.ts'
import {
  type CountPart,
  FORM,
  seasonOf,
  unpackContents,
  type WeekContents,
  weekOf,
  type WeekPart,
} from '../weeks/week.ts'
import { chooseLinks, unpackLinks } from '../weeks/week-links.ts'
import { inPieces, readAhead } from './read-ahead.ts'
import type { BatchName } from './stored-batches.ts'
import { forgetSeason, readSeason, readWeekRows, rowName } from './week-rows.ts'
import { nextTurn } from '../../work/turns.ts'

/** A week whose sums are there. */
export type StoredWeek = WeekContents & { readonly week: number }

/** What some links of a week add up to, by value. */
export interface PartSums {
  readonly texts: readonly string[]
  readonly sums: Float64Array
}

const WEEKS_AT_ONCE = 8
/** Some hundred questions about a year of many links, each with a breakdown. */
const MAX_CACHE_BYTES = 32 * 1024 * 1024

const cache = new LRUCache<string, PartSums>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ texts, sums }, key) =>
    key.length + sums.byteLength + texts.reduce((size, text) => size + text.length, 0) + 1,
})

/** The weeks whose sums are complete; one of them lacks no batch of those that are closed. */
export async function listWeeks(
  db: Database,
  userKey: number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  batches: readonly BatchName[],
): Promise<StoredWeek[]> {
  const closed = Map.groupBy(
    batches.filter(({ open_day }) => open_day === null),
    ({ day }) => weekOf(day),
  )
  const rows = await readByteRows(
    db,
    (value) => sql`select cast(week as text) as id, data from click_weeks
      where user_key = ${value(userKey)} and week >= ${value(weekOf(fromMs))} and week < ${value(toMs)}
        and part = 'contents'`,
  )
  return rows
    .map(({ id, data }) => ({ week: Number(id), ...unpackContents(data) }))
    .filter(
      ({ week, form, batches: known }) =>
        form === FORM && (closed.get(week) ?? []).every(({ id }) => known.includes(id)),
    )
}

/** A week, and which of its sums are to be read. */
export type WantedWeek = StoredWeek & { readonly parts: readonly CountPart[] }

/** Adds up parts of the weeks for some links; false if sums were made again meanwhile. */
export async function readWeeks<Week extends WantedWeek>(
  db: Database,
  { userId, scope }: { readonly userId: string; readonly scope: readonly string[] },
  weeks: readonly Week[],
  take: (week: Week, sums: readonly PartSums[]) => void,
): Promise<boolean> {
  const userKey = scopeKey(userId)
  const wanted = scopeKeys(scope).sort()
  const set = createHash('sha256').update(String(userKey)).update(wanted).digest('base64url')
  const keyOf = ({ id }: StoredWeek, part: CountPart): string => `${set} ${id} ${part}`
  const isKnown = (known: (PartSums | undefined)[]): known is PartSums[] => !known.includes(undefined)
  const missing: Week[] = []
  for (const week of weeks) {
    const known = week.parts.map((part) => cache.get(keyOf(week, part)))
    if (isKnown(known)) take(week, known)
    else missing.push(week)
  }
  const marksOf = seasonMarks(db, userKey, wanted)
  const pieces = readAhead(inPieces(missing, WEEKS_AT_ONCE), (some) =>
    Promise.all([readWeekRows(db, userKey, some), marksOf(some)]),
  )
  for await (const [some, [rows, marks]] of pieces) {
    for (const week of some) {
      const sums = sumParts(week, (part) => rows.get(rowName(week, part)), marks)
      if (sums === undefined) {
        forgetSeason(userKey, seasonOf(week.week))
        return false
      }
      week.parts.forEach((part, at) => cache.set(keyOf(week, part), sums[at]))
      take(week, sums)
      await nextTurn()
    }
  }
  return true
}

/** `undefined` if sums were made again meanwhile, or links of the week are not known yet. */
function sumParts(
  week: WantedWeek,
  rowOf: (part: WeekPart) => Uint8Array | undefined,
  marksOf: SeasonMarks,
): PartSums[] | undefined {
  const row = rowOf('links')
  if (row === undefined) return undefined
  const links = unpackLinks(row)
  const wanted = marksOf.get(seasonOf(week.week))
  // Keys in memory or of a replica that is behind lack some, or the account is being erased.
  if (wanted === undefined || wanted.limit < links.limit) return undefined
  const chosen = chooseLinks(links, wanted)
  return week.parts.map((part) => {
    const counts = unpackCounts(rowOf(part) ?? new Uint8Array())
    return { texts: counts.texts, sums: sumsOf(counts, chosen) }
  })
}

type SeasonMarks = ReadonlyMap<number, LinkBits>

/**
 * By season of some weeks: which of its links are wanted. Each season is read once, when the first of its weeks is: it
 * keeps the numbers that weeks listed before have.
 */
function seasonMarks(
  db: Database,
  userKey: number,
  wanted: Float64Array,
): (weeks: readonly StoredWeek[]) => Promise<SeasonMarks> {
  const index = new KeyIndex(wanted)
  const marks = new Map<number, Promise<LinkBits>>()
  const markSeason = async (season: number): Promise<LinkBits> =>
    markKeys(unpackKeys(await readSeason(db, userKey, season)), index)
  return async (weeks) => {
    const seasons = [...new Set(weeks.map(({ week }) => seasonOf(week)))]
    for (const season of seasons) if (!marks.has(season)) marks.set(season, markSeason(season))
    return new Map(
      await Promise.all(seasons.map(async (season) => [season, await marks.get(season)!] as const)),
    )
  }
}

/** Whether a week is of use for a range: what is not told apart by day must belong to it as a whole. */
export function isWithin(
  { busyDays }: StoredWeek,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): boolean {
  return busyDays.every((day) => day >= fromMs && day + DAY_MS <= toMs)
}
