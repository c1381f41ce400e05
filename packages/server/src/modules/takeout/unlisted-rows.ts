import { listParts, readPart } from '../../clicks/statistics/stored-clicks.ts'
import type { Statistics } from '../../clicks/statistics/statistics.ts'
import { plainSums } from '../../clicks/statistics/sums.ts'
import type { Caller } from '../../net/caller.ts'
import type { Database } from '../../storage/db/database.ts'

const ROWS_AT_ONCE = 500
const CLICKS_AT_ONCE = 5_000

type Pages = AsyncGenerator<readonly unknown[]>

type Owner = Pick<Caller, 'userUuid' | 'workspaceUuid'>

/** What a workspace has, and its caller's feedback, that no operation lists: clicks first. */
export const unlistedRows = (
  db: Database,
  statistics: Pick<Statistics, 'clicks'>,
  { userUuid, workspaceUuid }: Owner,
): { name: string; rows: Pages }[] => [
  { name: 'clicks', rows: clicks(statistics, workspaceUuid) },
  { name: 'click-sums', rows: clickSums(db, workspaceUuid) },
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

/** Single clicks, as long as they are stored. */
async function* clicks(statistics: Pick<Statistics, 'clicks'>, workspaceUuid: string): Pages {
  const all = { workspaceUuid, scope: undefined, keptFromMs: 0, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
  let rows: unknown[] = []
  for await (const { atMs, resourceUuid, ...click } of statistics.clicks(all)) {
    rows.push({ resource_uuid: resourceUuid, ...click, at: new Date(atMs).toISOString() })
    if (rows.length < CLICKS_AT_ONCE) continue
    yield rows
    rows = []
  }
  yield rows
}

/** Sums of clicks by hour, and by day and value, which outlive single clicks. */
async function* clickSums(db: Database, workspaceUuid: string): Pages {
  const all = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
  for (const { month, id } of await db.read(() => listParts(db, workspaceUuid, all)))
    yield* plainSums(month, await db.read(() => readPart(db, workspaceUuid, month, id)))
}
