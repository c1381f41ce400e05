import { sql } from 'kysely'
import type { Logger } from 'pino'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import { DAY_MS, isoTime } from '../../work/times.ts'
import type { ClickHouse } from './client.ts'
import { partitions, TABLE } from './table.ts'

/*
 * The database remembers which days of each workspace have clicks in ClickHouse, because a server without CLICKS_URL would
 * otherwise count none of them.
 */

interface Period {
  readonly fromMs: number
  /** The first millisecond after it. */
  readonly toMs: number
}

interface SentDay {
  readonly workspaceUuid: string
  /** Its first millisecond. */
  readonly day: number
}

/** Runs inside the write that deletes the batches, or adds what was found in ClickHouse. */
export async function rememberSent(db: Database, days: readonly SentDay[]): Promise<void> {
  for (const [workspace_uuid, own] of Map.groupBy(days, ({ workspaceUuid }) => workspaceUuid)) {
    const [first_day, last_day] = own.reduce(
      ([first, last], { day }) => [Math.min(first, day), Math.max(last, day)],
      [Infinity, -Infinity],
    )
    await db.sql
      .insertInto('sent_periods')
      .values({ workspace_uuid, first_day, last_day, given_up: 0 })
      .onConflict((conflict) =>
        conflict.column('workspace_uuid').doUpdateSet({
          // A period that was given up does not count again, unless its clicks are found in ClickHouse.
          first_day: sql`case when sent_periods.given_up = 0 and sent_periods.first_day < excluded.first_day
            then sent_periods.first_day else excluded.first_day end`,
          last_day: sql`case when sent_periods.given_up = 0 and sent_periods.last_day > excluded.last_day
            then sent_periods.last_day else excluded.last_day end`,
          given_up: 0,
        }),
      )
      .execute()
  }
}

/** Adds what ClickHouse has, which the database does not know after the restore of an older backup or `clicks forget`. */
export async function rememberStored(db: Database, clickhouse: ClickHouse): Promise<void> {
  for (const partition of await partitions(clickhouse)) {
    const found = await clickhouse.rows<{ workspace_uuid: string; first: number; last: number }>(
      `select workspace_uuid, intDiv(toUInt32(min(at)), 86400) as first,
          intDiv(toUInt32(max(at)), 86400) as last from ${TABLE} where toYYYYMM(at) = ${partition} group by workspace_uuid`,
    )
    const days = found.flatMap(({ workspace_uuid: workspaceUuid, first, last }) =>
      [first, last].map((day) => ({ workspaceUuid, day: day * DAY_MS })),
    )
    await db.write(() => rememberSent(db, days), 'background')
  }
}

/** Forgets the days before this one: they were summed, fetched or are older than the retention. */
export async function forgetSentBefore(db: Database, day: number): Promise<void> {
  await db.write(async () => {
    await db.sql.deleteFrom('sent_periods').where('last_day', '<', day).execute()
    await db.sql.updateTable('sent_periods').set({ first_day: day }).where('first_day', '<', day).execute()
  })
}

/** The period of all workspaces together. */
export async function sentPeriod(db: Database): Promise<Period | undefined> {
  const row = await db.sql
    .selectFrom('sent_periods')
    .select(({ fn }) => [
      fn.min<number | null>('first_day').as('first'),
      fn.max<number | null>('last_day').as('last'),
    ])
    .where('given_up', '=', 0)
    .executeTakeFirst()
  return row === undefined || row.first === null || row.last === null
    ? undefined
    : { fromMs: row.first, toMs: row.last + DAY_MS }
}

const dateOf = (ms: number): string => isoTime(ms).slice(0, 10)

export const sentDates = ({ fromMs, toMs }: Period): { from: string; to: string } => ({
  from: dateOf(fromMs),
  to: dateOf(toMs - DAY_MS),
})

/** What is wrong on a server without CLICKS_URL. */
export function sentFault(period: Period): string {
  const { from, to } = sentDates(period)
  return `The clicks from ${from} to ${to} (UTC) are in ClickHouse and CLICKS_URL is not set`
}

export const SENT_FIX = 'set it again, or run waymark clicks fetch or waymark clicks forget'

/** Logged at the start, and returned to requests that need these clicks. */
const sentSentence = (period: Period): string => `${sentFault(period)}: ${SENT_FIX}`

/** Logs one line if clicks are in ClickHouse and it is not used. */
export async function warnOfSent(
  db: Database,
  { clicksUrl }: { readonly clicksUrl: string | undefined },
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const period = clicksUrl === undefined ? await sentPeriod(db) : undefined
  if (period !== undefined) log.warn(sentSentence(period))
}

/** Throws if a workspace has clicks of this period in ClickHouse. */
export async function rejectSent(
  db: Database,
  workspaceUuid: string,
  { fromMs, toMs }: Period,
): Promise<void> {
  const period = await db.read(async () => {
    const touched = await db.sql
      .selectFrom('sent_periods')
      .select('workspace_uuid')
      .where('workspace_uuid', '=', workspaceUuid)
      .where('given_up', '=', 0)
      .where('first_day', '<', toMs)
      .where('last_day', '>', fromMs - DAY_MS)
      .executeTakeFirst()
    return touched && sentPeriod(db)
  })
  if (period !== undefined) throw new AppError('clicks_elsewhere', { message: sentSentence(period) })
}

/** Runs inside a write. Returns the workspaces whose statistics go on without these clicks. */
export async function giveUpSent(db: Database): Promise<string[]> {
  const rows = await db.sql
    .updateTable('sent_periods')
    .set({ given_up: 1 })
    .where('given_up', '=', 0)
    .returning('workspace_uuid')
    .execute()
  return rows.map(({ workspace_uuid }) => workspace_uuid)
}
