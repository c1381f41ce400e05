import { sql } from 'kysely'
import { type Batch, unpackBatch } from '../batches/batch.ts'
import { dayOf } from '../../work/times.ts'
import { readByteRows } from '../../storage/db/byte-rows.ts'
import type { BytesRow } from '../../storage/db/copy-out.ts'
import type { Database } from '../../storage/db/database.ts'
import type { ClickBatchRow } from '../../storage/db/tables.ts'
import { inPieces, readAhead } from './read-ahead.ts'
import { nextTurn } from '../../work/turns.ts'

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
  const pieces = readAhead(inPieces(batches, BATCHES_AT_ONCE), (some) => readSome(db, userKey, some))
  for await (const [names, rows] of pieces) {
    const found = new Map(rows.map(({ id, data }) => [id, data]))
    for (const name of names) {
      const data = found.get(name.id)
      if (data === undefined) return false
      take(unpackBatch(data), name)
      // A year of clicks takes a second: other requests run in between.
      await nextTurn()
    }
  }
  return true
}

function readSome(
  db: Database,
  userKey: number,
  batches: readonly BatchName[],
): Promise<readonly BytesRow[]> {
  return readByteRows(db, (value) => {
    const names = batches.map(({ day, id }) => sql`(cast(${value(day)} as bigint), ${value(id)})`)
    return sql`select id, data from click_batches
      where user_key = ${value(userKey)} and (day, id) in (values ${sql.join(names)})`
  })
}
