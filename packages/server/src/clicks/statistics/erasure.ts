import { sql } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import { scopeKey } from '../counting/scope-key.ts'

const CHUNK_ROWS = 5_000
/** Looking at a row costs a fraction of deleting one. */
const SCAN_ROWS = 20_000

/**
 * Erases what was counted and kept for a user, a piece at a time; false when nothing is left. Runs inside the
 * caller's write, after the user's links and pages are gone, so that no late click can add to it.
 */
export function createClickEraser(
  db: Database,
  chunkRows = CHUNK_ROWS,
  scanRows = SCAN_ROWS,
): (userId: string) => Promise<boolean> {
  /** SQLite keeps the clicks without an index, which makes each of them cheaper and this rare walk longer. */
  const scannedTo = new Map<string, number>()

  const scanOn = async (userId: string): Promise<boolean> => {
    const { first, last } = await ends(db)
    const from = Math.max(scannedTo.get(userId) ?? 0, first)
    if (from > last) return false
    const clicks = db.sql.deleteFrom('clicks').where('user_uuid', '=', userId)
    await clicks
      .where('id', '>=', from)
      .where('id', '<', from + scanRows)
      .execute()
    scannedTo.set(userId, Math.min(from + scanRows, last + 1))
    return true
  }

  return async (userId) => {
    const { numAffectedRows: days = 0n } = await sql`
      delete from click_days where (user_key, scope_key, day) in
        (select user_key, scope_key, day from click_days
          where user_key = ${scopeKey(userId)} limit ${chunkRows})`.execute(db.sql)
    if (days > 0n) return true
    if (db.engine === 'sqlite') return scanOn(userId)
    const { numAffectedRows: clicks = 0n } = await sql`
      delete from clicks where (tableoid, ctid) in
        (select tableoid, ctid from clicks where user_uuid = ${userId} limit ${chunkRows})`.execute(db.sql)
    return clicks > 0n
  }
}

async function ends(db: Database): Promise<{ first: number; last: number }> {
  const row = await db.sql
    .selectFrom('clicks')
    .select(({ fn }) => [fn.min('id').as('first'), fn.max('id').as('last')])
    .executeTakeFirst()
  return { first: row?.first ?? 1, last: row?.last ?? 0 }
}
