import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { readByteRows } from '../../storage/db/byte-rows.ts'
import type { Database } from '../../storage/db/database.ts'
import { type CountPart, unpackContents, type WeekPart } from '../weeks/week.ts'

/** A week that was listed, and which of its sums are to be read. */
interface WantedRows {
  readonly week: number
  /** Another one when its sums are made again. */
  readonly id: string
  readonly parts: readonly CountPart[]
}

/** Two breakdowns of a year of a large account, by country for example. */
const MAX_CACHE_BYTES = 16 * 1024 * 1024

/** Five of them are a year. */
const MAX_SEASON_BYTES = MAX_CACHE_BYTES / 16

/** Rows as they are stored: the next question is mostly about other links, but of the same weeks. */
const cache = new LRUCache<string, Uint8Array>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: (data, key) => key.length + data.byteLength,
})

export const rowName = ({ week }: { readonly week: number }, part: WeekPart): string => `${week} ${part}`

const keyOf = (userKey: number, { id }: WantedRows, part: WeekPart): string => `${userKey} ${id} ${part}`

/** Whether all rows of a week that are wanted were read before. */
export const isInMemory = (userKey: number, week: WantedRows): boolean =>
  partsOf(week).every((part) => cache.has(keyOf(userKey, week, part)))

/** By name: the links and parts of the weeks, without those whose sums were made again since they were listed. */
export async function readWeekRows(
  db: Database,
  userKey: number,
  weeks: readonly WantedRows[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  const missing: WantedRows[] = []
  for (const week of weeks) {
    const rows = partsOf(week).map(
      (part) => [rowName(week, part), cache.get(keyOf(userKey, week, part))] as const,
    )
    if (rows.some(([, data]) => data === undefined)) missing.push(week)
    else for (const [name, data] of rows) found.set(name, data!)
  }
  if (missing.length === 0) return found
  const stored = await readStored(db, userKey, missing)
  for (const week of missing) {
    const contents = stored.get(rowName(week, 'contents'))
    if (contents === undefined || unpackContents(contents).id !== week.id) continue
    for (const part of partsOf(week)) {
      const data = stored.get(rowName(week, part))
      if (data === undefined) continue
      cache.set(keyOf(userKey, week, part), data)
      found.set(rowName(week, part), data)
    }
  }
  return found
}

const seasonKey = (userKey: number, season: number): string => `${userKey} season ${season}`

/**
 * The keys of a season's links. What is in memory may lack the last ones: keys are only ever added, so that the others
 * keep their numbers.
 */
export async function readSeason(db: Database, userKey: number, season: number): Promise<Uint8Array> {
  const known = cache.get(seasonKey(userKey, season))
  if (known !== undefined) return known
  const [row] = await readByteRows(
    db,
    (value) => sql`select cast(season as text) as id, keys as data from season_links
      where user_key = ${value(userKey)} and season = ${value(season)}`,
  )
  if (row === undefined) return new Uint8Array()
  if (row.data.byteLength <= MAX_SEASON_BYTES) cache.set(seasonKey(userKey, season), row.data)
  return row.data
}

/** A week has links that its keys in memory lack. */
export const forgetSeason = (userKey: number, season: number): void =>
  void cache.delete(seasonKey(userKey, season))

const partsOf = ({ parts }: WantedRows): WeekPart[] => ['links', ...parts]

async function readStored(
  db: Database,
  userKey: number,
  weeks: readonly WantedRows[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const parts: WeekPart[] = ['contents', ...new Set(weeks.flatMap(partsOf))]
  const rows = await readByteRows(
    db,
    (value) => sql`select cast(week as text) || ' ' || part as id, data from click_weeks
      where user_key = ${value(userKey)} and week in (${sql.join(weeks.map(({ week }) => value(week)))})
        and part in (${sql.join(parts.map((part) => value(part)))})`,
  )
  return new Map(rows.map(({ id, data }) => [id, data]))
}
