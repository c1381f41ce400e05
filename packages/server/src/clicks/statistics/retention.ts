import type { Database } from '../../storage/db/database.ts'
import { DAY_MS, dayOf } from '../../work/times.ts'
import type { Statistics } from './statistics.ts'
import { monthOf } from './sums.ts'

/**
 * A day's salt is deleted when the next day is over: by then the spool of a node that was down for a while has been read.
 * Visitors of clicks that arrive later are counted again.
 */
const SALT_DAYS_BEFORE_TODAY = 1

export interface SweepOptions {
  readonly nowMs: number
  /** How long single clicks are stored; their sums stay. */
  readonly retentionDays: number
  readonly signal?: AbortSignal
}

/** Replaces single clicks by sums, by whole UTC month, once its last day is older than the retention. */
export async function sweepClicks(
  db: Database,
  statistics: Statistics,
  { nowMs, retentionDays, signal }: SweepOptions,
): Promise<void> {
  const beforeMs = dayOf(nowMs - retentionDays * DAY_MS)
  await db.write(() => db.sql.deleteFrom('set_aside_clicks').where('day', '<', beforeMs).execute())
  await statistics.dropBefore(monthOf(beforeMs), signal)
}

/** Deletes the salts of past days, which identify visitors; their number stays. */
export async function forgetVisitors(db: Database, nowMs: number): Promise<void> {
  const beforeDay = dayOf(nowMs) - SALT_DAYS_BEFORE_TODAY * DAY_MS
  await db.write(() => db.sql.deleteFrom('visitor_salts').where('day', '<', beforeDay).execute())
}
