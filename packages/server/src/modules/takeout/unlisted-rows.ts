import { clicksOf, unpackBatch } from '../../clicks/batches/batch.ts'
import { scopeKey } from '../../clicks/counting/scope-key.ts'
import type { Caller } from '../../net/caller.ts'
import type { Database } from '../../storage/db/database.ts'

const ROWS_AT_ONCE = 500
const BATCHES_AT_ONCE = 4

type Pages = AsyncGenerator<readonly unknown[]>

type Owner = Pick<Caller, 'userUuid' | 'workspaceUuid'>

/** What a workspace has, and its caller's feedback, that no operation lists. */
export const unlistedRows = (
  db: Database,
  { userUuid, workspaceUuid }: Owner,
): { name: string; rows: Pages }[] => [
  { name: 'clicks', rows: clicks(db, workspaceUuid) },
  { name: 'click-days', rows: clickDays(db, workspaceUuid) },
  { name: 'feedback', rows: inPages((last) => feedback(db, userUuid, last)) },
  { name: 'webhook-deliveries', rows: inPages((last) => deliveries(db, workspaceUuid, last)) },
]

/** The names of the stored files that something of the workspace or of its caller refers to. */
export async function keptFiles(db: Database, { userUuid, workspaceUuid }: Owner): Promise<string[]> {
  const rows = await db.sql
    .selectFrom('blob_refs')
    .select('hash')
    .distinct()
    .where((eb) => eb.or([eb('workspace_uuid', '=', workspaceUuid), eb('user_uuid', '=', userUuid)]))
    .orderBy('hash')
    .execute()
  return rows.map(({ hash }) => hash)
}

async function* inPages(read: (after: string) => Promise<readonly { readonly uuid: string }[]>): Pages {
  for (let last = ''; ;) {
    const rows = await read(last)
    yield rows
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)?.uuid ?? ''
  }
}

const feedback = (db: Database, userUuid: string, after: string) =>
  db.read(() =>
    db.sql
      .selectFrom('feedback')
      .select(['uuid', 'feedback', 'image_hash', 'created_at'])
      .where('user_uuid', '=', userUuid)
      .where('uuid', '>', after)
      .orderBy('uuid')
      .limit(ROWS_AT_ONCE)
      .execute(),
  )

const deliveries = async (db: Database, workspaceUuid: string, after: string) => {
  const rows = await db.read(() =>
    db.sql
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('workspace_uuid', '=', workspaceUuid)
      .where('uuid', '>', after)
      .orderBy('uuid')
      .limit(ROWS_AT_ONCE)
      .execute(),
  )
  return rows.map(({ workspace_uuid: _owner, ...row }) => row)
}

/** Single clicks, as long as they are kept. */
async function* clicks(db: Database, workspaceUuid: string): Pages {
  for (let last = { day: -1, id: '' }; ;) {
    const after = last
    const batches = await db.read(() =>
      db.sql
        .selectFrom('click_batches')
        .select(['day', 'id', 'data'])
        .where('user_key', '=', scopeKey(workspaceUuid))
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
async function* clickDays(db: Database, workspaceUuid: string): Pages {
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const from = offset
    const rows = await db.read(() =>
      db.sql
        .selectFrom('click_days')
        .selectAll()
        .where('user_key', '=', scopeKey(workspaceUuid))
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
