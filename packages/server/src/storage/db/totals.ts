import type { Database } from './database.ts'
import { preparedStatement } from './prepared.ts'
import type { Tables } from './tables.ts'

const addToTotal = preparedStatement((sql, row: Tables['totals']) =>
  sql
    .insertInto('totals')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_uuid', 'resource'])
        .doUpdateSet((eb) => ({ total: eb('totals.total', '+', eb.ref('excluded.total')) })),
    ),
)

/** Changes the stored count of a user's resource; part of the write that inserts or deletes the rows. */
export async function bumpTotal(
  db: Database,
  workspaceUuid: string,
  resource: string,
  delta: number,
): Promise<void> {
  await addToTotal(db, { workspace_uuid: workspaceUuid, resource, total: delta })
}

/** The stored count of a user's resource. */
export async function readTotal(db: Database, workspaceUuid: string, resource: string): Promise<number> {
  const row = await db.sql
    .selectFrom('totals')
    .select('total')
    .where('workspace_uuid', '=', workspaceUuid)
    .where('resource', '=', resource)
    .executeTakeFirst()
  return row?.total ?? 0
}

/** The version of what can end any link or page: blocks of operators, and removals of workspaces. */
export const BLOCKS_VERSION = 'blocks'

/** Tells all processes that their cached copy is outdated; inside the write that changes the data. */
export async function bumpVersion(db: Database, name: string): Promise<void> {
  await db.sql
    .insertInto('sequences')
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb('sequences.value', '+', 1) })),
    )
    .execute()
}

export async function readVersion(db: Database, name: string): Promise<number> {
  const row = await db.sql.selectFrom('sequences').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? 0
}
