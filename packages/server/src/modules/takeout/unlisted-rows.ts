import { clicksOf, unpackBatch } from '../../clicks/batches/batch.ts'
import { scopeKey } from '../../clicks/counting/scope-key.ts'
import type { Database } from '../../storage/db/database.ts'

const ROWS_AT_ONCE = 500
const BATCHES_AT_ONCE = 4

type Pages = AsyncGenerator<readonly unknown[]>

/** What an account has that no operation lists. */
export const unlistedRows = (db: Database, userUuid: string): { name: string; rows: Pages }[] => [
  { name: 'clicks', rows: clicks(db, userUuid) },
  { name: 'click-days', rows: clickDays(db, userUuid) },
  { name: 'feedback', rows: ownRows(db, userUuid, 'feedback') },
  { name: 'webhook-deliveries', rows: ownRows(db, userUuid, 'webhook_deliveries') },
]

/** The names of the stored files that something of the account refers to. */
export async function keptFiles(db: Database, userUuid: string): Promise<string[]> {
  const rows = await db.sql
    .selectFrom('blob_refs')
    .select('hash')
    .distinct()
    .where('user_uuid', '=', userUuid)
    .orderBy('hash')
    .execute()
  return rows.map(({ hash }) => hash)
}

async function* ownRows(db: Database, userUuid: string, table: 'feedback' | 'webhook_deliveries'): Pages {
  for (let last = ''; ;) {
    const after = last
    const rows = await db.read(() =>
      db.sql
        .selectFrom(table)
        .selectAll()
        .where('user_uuid', '=', userUuid)
        .where('uuid', '>', after)
        .orderBy('uuid')
        .limit(ROWS_AT_ONCE)
        .execute(),
    )
    yield rows.map(({ user_uuid: _owner, ...row }) => row)
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)?.uuid ?? ''
  }
}

/** Single clicks, as long as they are kept. */
async function* clicks(db: Database, userUuid: string): Pages {
  for (let last = { day: -1, id: '' }; ;) {
    const after = last
    const batches = await db.read(() =>
      db.sql
        .selectFrom('click_batches')
        .select(['day', 'id', 'data'])
        .where('user_key', '=', scopeKey(userUuid))
        .where((eb) =>
          eb.or([eb('day', '>', after.day), eb.and([eb('day', '=', after.day), eb('id', '>', after.id)])]),
        )
        .orderBy('day')
        .orderBy('id')
        .limit(BATCHES_AT_ONCE)
        .execute(),
    )
    for (const { day, data } of batches)
      yield [...clicksOf(unpackBatch(data), day)].map(
        ({ atMs, resourceUuid, firstOfUser: _user, firstOfResource, ...click }) => ({
          resource_uuid: resourceUuid,
          ...click,
          at: new Date(atMs).toISOString(),
          first_of_day: firstOfResource,
        }),
      )
    if (batches.length < BATCHES_AT_ONCE) return
    last = batches.at(-1) ?? last
  }
}

/** The figures of each day, which outlive single clicks. */
async function* clickDays(db: Database, userUuid: string): Pages {
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const from = offset
    const rows = await db.read(() =>
      db.sql
        .selectFrom('click_days')
        .selectAll()
        .where('user_key', '=', scopeKey(userUuid))
        .orderBy('scope_key')
        .orderBy('day')
        .limit(ROWS_AT_ONCE)
        .offset(from)
        .execute(),
    )
    yield rows.map(({ user_key: _owner, ...row }) => row)
    if (rows.length < ROWS_AT_ONCE) return
  }
}
