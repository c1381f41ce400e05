import type { Database } from '../../storage/db/database.ts'
import { clicksOf, unpackBatch } from '../batches/batch.ts'
import type { KeptClick } from '../batches/kept-click.ts'
import { scopeKey } from '../counting/scope-key.ts'

/** Every single click of a user that is kept, oldest days first; a batch at a time is in memory. */
export async function* readSingleClicks(db: Database, userUuid: string): AsyncGenerator<KeptClick> {
  const userKey = scopeKey(userUuid)
  let after = { day: -1, id: '' }
  for (;;) {
    const { day, id } = after
    const row = await db.sql
      .selectFrom('click_batches')
      .select(['day', 'id', 'data'])
      .where('user_key', '=', userKey)
      .where((test) =>
        test.or([test('day', '>', day), test.and([test('day', '=', day), test('id', '>', id)])]),
      )
      .orderBy('day')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return
    yield* clicksOf(unpackBatch(row.data), row.day)
    after = row
  }
}
