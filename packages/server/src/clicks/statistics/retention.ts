import { sql } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import { dayOf } from '../counting/enrich.ts'
import { DAY_MS } from '../../runtime/times.ts'
import { monthOfPartition, nextMonth } from '../counting/postgres/partitions.ts'
import { firstVisitId } from '../counting/visit-id.ts'

export interface SweepOptions {
  readonly nowMs: number
  /** How long single clicks are kept; what was counted from them stays. */
  readonly retentionDays: number
  readonly chunkRows?: number
}

/**
 * A day is closed when the next one is over: by then the spool of a node that was down for a while has arrived. Clicks
 * that are later still count their visitors anew.
 */
const OPEN_DAYS_BEFORE_TODAY = 1
const CHUNK_ROWS = 5_000

/** Drops what is older than it may be. May run on any node, any number of times, in short transactions. */
export async function sweepClicks(db: Database, options: SweepOptions): Promise<void> {
  const beforeMs = options.nowMs - options.retentionDays * DAY_MS
  if (db.engine === 'postgres') await dropPartitions(db, beforeMs)
  else await deleteOldClicks(db, beforeMs, options.chunkRows ?? CHUNK_ROWS)
}

async function dropPartitions(db: Database, beforeMs: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'clicks'::regclass`.execute(db.sql)
  for (const { name } of rows) {
    const month = monthOfPartition(name)
    if (month === undefined || nextMonth(month) > beforeMs) continue
    await db.write(async () => void (await sql`drop table if exists ${sql.id(name)}`.execute(db.sql)))
  }
}

/** Rows lie in the order in which they arrived, which is nearly that of their times: the old ones are in front. */
async function deleteOldClicks(db: Database, beforeMs: number, chunkRows: number): Promise<void> {
  let done = 0
  for (;;) {
    const rows = await db.sql
      .selectFrom('clicks')
      .select(['id', 'at'])
      .where('id', '>', done)
      .orderBy('id')
      .limit(chunkRows)
      .execute()
    const [first, last] = [rows.at(0), rows.at(-1)]
    if (first === undefined || last === undefined || rows.every(({ at }) => at >= beforeMs)) return
    await db.write(async () => {
      await db.sql
        .deleteFrom('clicks')
        .where('id', '>=', first.id)
        .where('id', '<=', last.id)
        .where('at', '<', beforeMs)
        .execute()
    })
    done = last.id
  }
}

/** Closes the days that are over: what told their visitors apart goes, how many they were stays. */
export async function forgetVisitors(db: Database, nowMs: number, chunkRows = CHUNK_ROWS): Promise<void> {
  const beforeDay = dayOf(nowMs) - OPEN_DAYS_BEFORE_TODAY * DAY_MS
  await db.write(async () => {
    await db.sql.deleteFrom('visitor_salts').where('day', '<', beforeDay).execute()
  })
  await inChunks(db, () =>
    sql`delete from visits where id in
      (select id from visits where id < ${firstVisitId(beforeDay)} limit ${chunkRows})`.execute(db.sql),
  )
}

async function inChunks(
  db: Database,
  step: () => Promise<{ numAffectedRows?: bigint | undefined }>,
): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await db.write(step)
    if (numAffectedRows === 0n) return
  }
}
