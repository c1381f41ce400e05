import { sql } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import { scopeKey } from '../counting/scope-key.ts'

const CHUNK_ROWS = 5_000
const CHUNK_BATCHES = 50

/**
 * Erases what was counted and kept for a user, a piece at a time; false when nothing is left. Runs inside the
 * caller's write, after the user's links and pages are gone, so that no late click can add to it.
 */
export function createClickEraser(
  db: Database,
  chunkRows = CHUNK_ROWS,
  chunkBatches = CHUNK_BATCHES,
): (userId: string) => Promise<boolean> {
  return async (userId) => {
    const userKey = scopeKey(userId)
    // First: from here on no week is added up any more.
    await sql`delete from due_weeks where user_key = ${userKey}`.execute(db.sql)
    await sql`delete from set_aside_clicks where user_key = ${userKey}`.execute(db.sql)
    const { numAffectedRows: batches = 0n } = await sql`
      delete from click_batches where (user_key, day, id) in
        (select user_key, day, id from click_batches where user_key = ${userKey} limit ${chunkBatches})`.execute(
      db.sql,
    )
    if (batches > 0n) return true
    const { numAffectedRows: days = 0n } = await sql`
      delete from click_days where (user_key, scope_key, day) in
        (select user_key, scope_key, day from click_days where user_key = ${userKey} limit ${chunkRows})`.execute(
      db.sql,
    )
    if (days > 0n) return true
    const { numAffectedRows: weeks = 0n } = await sql`
      delete from click_weeks where (user_key, week, part) in
        (select user_key, week, part from click_weeks where user_key = ${userKey} limit ${chunkBatches})`.execute(
      db.sql,
    )
    if (weeks > 0n) return true
    const { numAffectedRows: seasons = 0n } = await sql`
      delete from season_links where user_key = ${userKey}`.execute(db.sql)
    return seasons > 0n
  }
}
