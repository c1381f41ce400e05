import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Batch, unpackBatch } from '../batches/batch.ts'
import { dayOf } from '../../runtime/times.ts'
import { readByteRows } from '../../storage/db/byte-rows.ts'
import type { BytesRow } from '../../storage/db/copy-out.ts'
import type { Database } from '../../storage/db/database.ts'
import type { ClickBatchRow } from '../../storage/db/tables.ts'

export type BatchName = Pick<ClickBatchRow, 'day' | 'id' | 'open_day'>

/** About 5 MB of a large account. */
const BATCHES_AT_ONCE = 8

/** The batches of days that have a part in a range. */
export function listBatches(
  db: Database,
  userKey: number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<BatchName[]> {
  return db.sql
    .selectFrom('click_batches')
    .select(['day', 'id', 'open_day'])
    .where('user_key', '=', userKey)
    .where('day', '>=', dayOf(fromMs))
    .where('day', '<', toMs)
    .execute()
}

/** Reads some batches at a time; false if one of them is no longer there. */
export async function readBatches(
  db: Database,
  userKey: number,
  batches: readonly BatchName[],
  take: (batch: Batch, name: BatchName) => void,
): Promise<boolean> {
  let coming = readSome(db, userKey, batches, 0)
  for (let at = 0; at < batches.length; at += BATCHES_AT_ONCE) {
    const rows = new Map((await coming).map(({ id, data }) => [id, data]))
    // PostgreSQL reads the next ones while these are gone through.
    coming = readSome(db, userKey, batches, at + BATCHES_AT_ONCE)
    // A failure is for the next turn of the loop, if there is one.
    coming.catch(() => undefined)
    for (const name of batches.slice(at, at + BATCHES_AT_ONCE)) {
      const data = rows.get(name.id)
      if (data === undefined) return false
      take(unpackBatch(data), name)
      // A year of clicks takes a second: other requests run in between.
      await nextTurn()
    }
  }
  return true
}

async function readSome(
  db: Database,
  userKey: number,
  batches: readonly BatchName[],
  at: number,
): Promise<readonly BytesRow[]> {
  const some = batches.slice(at, at + BATCHES_AT_ONCE)
  if (some.length === 0) return []
  return readByteRows(db, (value) => {
    const names = some.map(({ day, id }) => sql`(cast(${value(day)} as bigint), ${value(id)})`)
    return sql`select id, data from click_batches
      where user_key = ${value(userKey)} and (day, id) in (values ${sql.join(names)})`
  })
}
