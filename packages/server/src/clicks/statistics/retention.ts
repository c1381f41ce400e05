import { sql } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import { DAY_MS, dayOf } from '../../work/times.ts'
import { dayNumber, firstVisitId } from '../counting/visit-id.ts'

export interface SweepOptions {
  readonly nowMs: number
  /** How long single clicks are kept; what was counted from them stays. */
  readonly retentionDays: number
  readonly chunkRows?: number
  /** Ends the work after the present chunk. */
  readonly signal?: AbortSignal
}

/**
 * A day is closed when the next one is over: by then the spool of a node that was down for a while has arrived. Visitors
 * of clicks that are later still are counted again.
 */
const OPEN_DAYS_BEFORE_TODAY = 1
const CHUNK_ROWS = 5_000
/** Each holds up to 50,000 clicks. */
const CHUNK_BATCHES = 50

/** Drops what is older than it may be. May run on any node, any number of times, in short transactions. */
export async function sweepClicks(db: Database, options: SweepOptions): Promise<void> {
  const beforeMs = dayOf(options.nowMs - options.retentionDays * DAY_MS)
  await db.write(() => db.sql.deleteFrom('set_aside_clicks').where('day', '<', beforeMs).execute())
  // A batch that was never added up is late: it goes with the next sweep.
  await inChunks(
    db,
    () =>
      sql`delete from click_batches where (user_key, day, id) in
      (select user_key, day, id from click_batches where day < ${beforeMs} and open_day is null
        limit ${options.chunkRows ?? CHUNK_BATCHES})`.execute(db.sql),
    options.signal,
  )
}

/** Closes the days that are over: what told their visitors apart goes, how many they were stays. */
export async function forgetVisitors(
  db: Database,
  options: Pick<SweepOptions, 'nowMs' | 'chunkRows' | 'signal'>,
): Promise<void> {
  const { nowMs, chunkRows = CHUNK_ROWS, signal } = options
  const beforeDay = dayOf(nowMs) - OPEN_DAYS_BEFORE_TODAY * DAY_MS
  await db.write(async () => {
    await db.sql.deleteFrom('visitor_salts').where('day', '<', beforeDay).execute()
  })
  await inChunks(
    db,
    () =>
      sql`delete from visit_log where (day, sequence) in
      (select day, sequence from visit_log where day < ${dayNumber(beforeDay)} limit ${chunkRows})`.execute(
        db.sql,
      ),
    signal,
  )
  await inChunks(
    db,
    () =>
      sql`delete from visits where id in
      (select id from visits where id < ${firstVisitId(beforeDay)} limit ${chunkRows})`.execute(db.sql),
    signal,
  )
}

async function inChunks(
  db: Database,
  step: () => Promise<{ numAffectedRows?: bigint | undefined }>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return
    const { numAffectedRows = 0n } = await db.write(step)
    if (numAffectedRows === 0n) return
  }
}
