import type { Updateable } from 'kysely'
import { lastTurnOf } from '../../work/jobs/batch-jobs.ts'
import { chunksOf, type Database } from '../../storage/db/database.ts'
import type { BulkEditedLinkRow, BulkEditRow } from '../../storage/db/tables.ts'
import { type ListFilter, type ListWindow, pageOf } from '../owned/listing.ts'

export type { BulkEditRow }

const ROWS = 200

export function createBulkEditStore(db: Database) {
  const filtered = (workspaceUuid: string, { uuid }: ListFilter) => {
    const query = db.sql.selectFrom('bulk_edits').where('workspace_uuid', '=', workspaceUuid)
    return uuid === undefined ? query : query.where('uuid', '=', uuid)
  }
  const all = () => db.sql.selectFrom('bulk_edits').selectAll()

  return {
    async insert(row: BulkEditRow): Promise<void> {
      await db.sql.insertInto('bulk_edits').values(row).execute()
    },
    find(workspaceUuid: string, uuid: string): Promise<BulkEditRow | undefined> {
      return filtered(workspaceUuid, { uuid, search: undefined }).selectAll().executeTakeFirst()
    },
    list(workspaceUuid: string, window: ListWindow): Promise<BulkEditRow[]> {
      return pageOf(filtered(workspaceUuid, window).selectAll(), window).execute()
    },
    async count(workspaceUuid: string, filter: ListFilter): Promise<number> {
      const row = await filtered(workspaceUuid, filter)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return row.count
    },
    async countOpen(workspaceUuid: string): Promise<number> {
      const row = await filtered(workspaceUuid, { uuid: undefined, search: undefined })
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('state', 'in', ['running', 'undoing'])
        .executeTakeFirstOrThrow()
      return row.count
    },
    /** The bulk edit whose turn it is. */
    next(): Promise<BulkEditRow | undefined> {
      return all()
        .where('state', 'in', ['running', 'undoing'])
        .orderBy(lastTurnOf('bulk_edits'))
        .orderBy('turn_at')
        .limit(1)
        .executeTakeFirst()
    },
    /** False if the row has changed meanwhile: another process or an undo was faster. */
    async update(
      { uuid, state, position }: Pick<BulkEditRow, 'uuid' | 'state' | 'position'>,
      changes: Updateable<BulkEditRow>,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db.sql
        .updateTable('bulk_edits')
        .set(changes)
        .where('uuid', '=', uuid)
        .where('state', '=', state)
        .where('position', '=', position)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async remove(uuid: string): Promise<void> {
      await db.sql.deleteFrom('bulk_edits').where('uuid', '=', uuid).execute()
    },
    someOf(workspaceUuid: string): Promise<BulkEditRow | undefined> {
      return all().where('workspace_uuid', '=', workspaceUuid).limit(1).executeTakeFirst()
    },
    /** Ended bulk edits of an account except the newest few. */
    endedBefore(workspaceUuid: string, kept: number): Promise<BulkEditRow[]> {
      return all()
        .where('workspace_uuid', '=', workspaceUuid)
        .where('state', 'in', ['done', 'undone', 'failed'])
        .orderBy('uuid', 'desc')
        .limit(kept)
        .offset(kept)
        .execute()
    },
    /** Some bulk edits that ended before a time. */
    olderThan(beforeMs: number, take: number): Promise<BulkEditRow[]> {
      return all()
        .where('state', 'in', ['done', 'undone', 'failed'])
        .where('updated_at', '<', beforeMs)
        .limit(take)
        .execute()
    },
    async addLinks(rows: readonly BulkEditedLinkRow[]): Promise<void> {
      for (const some of chunksOf(rows, ROWS))
        await db.sql.insertInto('bulk_edited_links').values(some).execute()
    },
    someLinks(bulkEditUuid: string, take: number): Promise<BulkEditedLinkRow[]> {
      return db.sql
        .selectFrom('bulk_edited_links')
        .selectAll()
        .where('bulk_edit_uuid', '=', bulkEditUuid)
        .limit(take)
        .execute()
    },
    async removeLinks(bulkEditUuid: string, linkUuids: readonly string[]): Promise<void> {
      if (linkUuids.length === 0) return
      await db.sql
        .deleteFrom('bulk_edited_links')
        .where('bulk_edit_uuid', '=', bulkEditUuid)
        .where('link_uuid', 'in', linkUuids)
        .execute()
    },
  }
}

export type BulkEditStore = ReturnType<typeof createBulkEditStore>
