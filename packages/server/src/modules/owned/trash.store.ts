import type { TrashType } from '@waymark/contract'
import { sql } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import type { TrashRow } from '../../storage/db/tables.ts'
import { type ListFilter, type ListWindow, pageOf } from './listing.ts'

export type { TrashRow }

export interface TrashFilter extends ListFilter {
  readonly types: readonly TrashType[] | undefined
}

/** The list of restorable resources. The rows themselves stay in their tables. */
export function createTrashStore(db: Database) {
  const filtered = (workspaceUuid: string, { search, uuid, types }: TrashFilter) => {
    let query = db.sql.selectFrom('trash').where('workspace_uuid', '=', workspaceUuid)
    if (uuid !== undefined) query = query.where('uuid', '=', uuid)
    if (types !== undefined)
      query = types.length > 0 ? query.where('type', 'in', types) : query.where(sql<boolean>`1 = 0`)
    return search === undefined ? query : query.where(db.dialect.contains(['label'], search))
  }
  return {
    async insert(rows: readonly TrashRow[]): Promise<void> {
      await db.sql.insertInto('trash').values(rows).execute()
    },
    list(workspaceUuid: string, window: ListWindow & TrashFilter): Promise<TrashRow[]> {
      return pageOf(filtered(workspaceUuid, window).selectAll(), window, sql`trashed_at`).execute()
    },
    async count(workspaceUuid: string, filter: TrashFilter): Promise<number> {
      const row = await filtered(workspaceUuid, filter)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return row?.count ?? 0
    },
    /** The types of the given rows. */
    async typesOf(workspaceUuid: string, uuids: readonly string[]): Promise<TrashType[]> {
      const rows = await db.sql
        .selectFrom('trash')
        .select('type')
        .distinct()
        .where('workspace_uuid', '=', workspaceUuid)
        .where('uuid', 'in', uuids)
        .execute()
      return rows.map(({ type }) => type as TrashType)
    },
    /** Removes rows from the list and returns them, without those that another request has removed meanwhile. */
    take(workspaceUuid: string, uuids: readonly string[]): Promise<TrashRow[]> {
      return db.sql
        .deleteFrom('trash')
        .where(db.dialect.ownedBy(workspaceUuid))
        .where('uuid', 'in', uuids)
        .returningAll()
        .execute()
    },
    /** Rows removed before a time, oldest first. */
    oldest(before: number, take: number): Promise<TrashRow[]> {
      return db.sql
        .selectFrom('trash')
        .selectAll()
        .where('trashed_at', '<', before)
        .orderBy('trashed_at')
        .limit(take)
        .execute()
    },
  }
}

export type TrashStore = ReturnType<typeof createTrashStore>
