import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY_MS } from '../../runtime/times.ts'
import { readByteRows } from '../../storage/db/byte-rows.ts'
import type { Database } from '../../storage/db/database.ts'
import { scopeKey } from '../counting/scope-key.ts'
import { sumsOf, unpackSparse } from '../weeks/sparse-counts.ts'
import { type CountPart, unpackContents, type WeekContents, weekOf, type WeekPart } from '../weeks/week.ts'
import { markKeys, unpackKeys } from '../weeks/week-links.ts'
import { inPieces, readAhead } from './read-ahead.ts'
import type { BatchName } from './stored-batches.ts'

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
    .filter(({ week, batches: known }) => (closed.get(week) ?? []).every(({ id }) => known.includes(id)))
}

/** Adds up parts of the weeks for some links; false if sums were made again meanwhile. */
export async function readWeeks(
  db: Database,
  { userId, scope }: { readonly userId: string; readonly scope: readonly string[] },
  weeks: readonly StoredWeek[],
  parts: readonly CountPart[],
  take: (week: StoredWeek, sums: readonly PartSums[]) => void,
): Promise<boolean> {
  const wanted = Float64Array.from(scope, scopeKey).sort()
  const set = createHash('sha256')
    .update(String(scopeKey(userId)))
    .update(wanted)
    .digest('base64url')
  const keyOf = ({ id }: StoredWeek, part: CountPart): string => `${set} ${id} ${part}`
  const knownOf = (week: StoredWeek): (PartSums | undefined)[] =>
    parts.map((part) => cache.get(keyOf(week, part)))
  const isKnown = (known: (PartSums | undefined)[]): known is PartSums[] => !known.includes(undefined)
  const missing: StoredWeek[] = []
  for (const week of weeks) {
    const known = knownOf(week)
    if (isKnown(known)) take(week, known)
    else missing.push(week)
  }
  const pieces = readAhead(inPieces(missing, WEEKS_AT_ONCE), (some) =>
    readParts(db, scopeKey(userId), some, ['contents', 'links', ...parts]),
  )
  for await (const [some, rows] of pieces) {
    for (const week of some) {
      const [contents, keys, ...counts] = ['contents', 'links', ...parts].map((part) =>
        rows.get(`${week.week} ${part}`),
      )
      if (contents === undefined || keys === undefined || unpackContents(contents).id !== week.id)
        return false
      const marks = markKeys(unpackKeys(keys), wanted)
      const sums = counts.map((data, at): PartSums => {
        const sparse = unpackSparse(data ?? new Uint8Array())
        const added = { texts: sparse.texts, sums: sumsOf(sparse, marks) }
        cache.set(keyOf(week, parts[at] ?? 'days'), added)
        return added
      })
      take(week, sums)
      await nextTurn()
    }
  }
  return true
}

async function readParts(
  db: Database,
  userKey: number,
  weeks: readonly StoredWeek[],
  parts: readonly WeekPart[],
): Promise<Map<string, Uint8Array>> {
  const rows = await readByteRows(
    db,
    (value) => sql`select cast(week as text) || ' ' || part as id, data from click_weeks
      where user_key = ${value(userKey)} and week in (${sql.join(weeks.map(({ week }) => value(week)))})
        and part in (${sql.join(parts.map((part) => value(part)))})`,
  )
  return new Map(rows.map(({ id, data }) => [id, data]))
}

/** Whether a week is of use for a range: what is not told apart by day must belong to it as a whole. */
export function isWithin(
  { busyDays }: StoredWeek,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): boolean {
  return busyDays.every((day) => day >= fromMs && day + DAY_MS <= toMs)
}
