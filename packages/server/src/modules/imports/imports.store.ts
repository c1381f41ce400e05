import type { Updateable } from 'kysely'
import { lastTurnOf } from '../../work/jobs/batch-jobs.ts'
import { chunksOf, type Database } from '../../storage/db/database.ts'
import type { ImportRow } from '../../storage/db/tables.ts'
import { nameKey, type ShortCodeName } from '../links/links.store.ts'
import { type ListFilter, type ListWindow, pageOf } from '../owned/listing.ts'

export type { ImportRow }

const ROWS = 200

export function createImportStore(db: Database) {
  const filtered = (workspaceUuid: string, { uuid }: ListFilter) => {
    const query = db.sql.selectFrom('imports').where('workspace_uuid', '=', workspaceUuid)
    return uuid === undefined ? query : query.where('uuid', '=', uuid)
  }

  return {
    async insert(row: ImportRow): Promise<void> {
      await db.sql.insertInto('imports').values(row).execute()
    },
    find(workspaceUuid: string, uuid: string): Promise<ImportRow | undefined> {
      return db.sql
        .selectFrom('imports')
        .selectAll()
        .where('workspace_uuid', '=', workspaceUuid)
        .where('uuid', '=', uuid)
        .executeTakeFirst()
    },
    list(workspaceUuid: string, window: ListWindow): Promise<ImportRow[]> {
      return pageOf(filtered(workspaceUuid, window).selectAll(), window).execute()
    },
    async count(workspaceUuid: string, filter: ListFilter): Promise<number> {
      const row = await filtered(workspaceUuid, filter)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return row.count
    },
    someOf(workspaceUuid: string): Promise<ImportRow | undefined> {
      return db.sql
        .selectFrom('imports')
        .selectAll()
        .where('workspace_uuid', '=', workspaceUuid)
        .executeTakeFirst()
    },
    async countRunning(workspaceUuid: string): Promise<number> {
      const row = await db.sql
        .selectFrom('imports')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('workspace_uuid', '=', workspaceUuid)
        .where('state', 'in', ['running', 'undoing'])
        .executeTakeFirstOrThrow()
      return row.count
    },
    /** Previews, and failed imports that can be run again: of an account, or unchanged since before a time. */
    waiting({
      workspaceUuid,
      beforeMs,
    }: {
      workspaceUuid?: string
      beforeMs?: number
    }): Promise<ImportRow[]> {
      let query = db.sql
        .selectFrom('imports')
        .selectAll()
        .where('state', 'in', ['ready', 'failed'])
        .where((eb) => eb.or([eb('state', '=', 'ready'), eb('file_hash', 'is not', null)]))
      if (workspaceUuid !== undefined) query = query.where('workspace_uuid', '=', workspaceUuid)
      if (beforeMs !== undefined) query = query.where('updated_at', '<', beforeMs)
      return query.limit(ROWS).execute()
    },
    /** Deletes a preview, or the file of a failed import. False: it has been started meanwhile. */
    async endWaiting({ uuid, state }: Pick<ImportRow, 'uuid' | 'state'>): Promise<boolean> {
      if (state === 'ready') {
        const { numDeletedRows } = await db.sql
          .deleteFrom('imports')
          .where('uuid', '=', uuid)
          .where('state', '=', state)
          .executeTakeFirst()
        return numDeletedRows > 0n
      }
      const { numUpdatedRows } = await db.sql
        .updateTable('imports')
        .set({ file_hash: null, file_key: null })
        .where('uuid', '=', uuid)
        .where('state', '=', state)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** The import whose turn it is: one of each account in turn. */
    next(): Promise<ImportRow | undefined> {
      return db.sql
        .selectFrom('imports')
        .selectAll()
        .where('state', 'in', ['running', 'undoing'])
        .orderBy(lastTurnOf('imports'))
        .orderBy('turn_at')
        .limit(1)
        .executeTakeFirst()
    },
    /** False if the row has changed meanwhile: another process or an undo was faster. */
    async update(
      { uuid, state, read_bytes }: Pick<ImportRow, 'uuid' | 'state' | 'read_bytes'>,
      changes: Updateable<ImportRow>,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db.sql
        .updateTable('imports')
        .set(changes)
        .where('uuid', '=', uuid)
        .where('state', '=', state)
        .where('read_bytes', '=', read_bytes)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async remove(uuid: string): Promise<void> {
      await db.sql.deleteFrom('imports').where('uuid', '=', uuid).execute()
    },
    /** Some imports that have been in one of these states since before a time. */
    olderThan(states: readonly ImportRow['state'][], beforeMs: number, take: number): Promise<ImportRow[]> {
      return db.sql
        .selectFrom('imports')
        .selectAll()
        .where('state', 'in', states)
        .where('updated_at', '<', beforeMs)
        .limit(take)
        .execute()
    },
    async addLinks(importUuid: string, linkUuids: readonly string[]): Promise<void> {
      const rows = linkUuids.map((link_uuid) => ({ import_uuid: importUuid, link_uuid }))
      for (const some of chunksOf(rows, ROWS))
        await db.sql.insertInto('imported_links').values(some).execute()
    },
    async someLinks(importUuid: string, take: number): Promise<string[]> {
      const rows = await db.sql
        .selectFrom('imported_links')
        .select('link_uuid')
        .where('import_uuid', '=', importUuid)
        .limit(take)
        .execute()
      return rows.map(({ link_uuid }) => link_uuid)
    },
    async removeLinks(importUuid: string, linkUuids: readonly string[]): Promise<void> {
      await db.sql
        .deleteFrom('imported_links')
        .where('import_uuid', '=', importUuid)
        .where('link_uuid', 'in', linkUuids)
        .execute()
    },
    /** The given short codes that are in use. */
    async takenOf<Name extends ShortCodeName>(names: readonly Name[]): Promise<Name[]> {
      const found = new Set<string>()
      const domains = [...new Set(names.map(({ domain }) => domain))]
      for (const some of chunksOf(names, ROWS)) {
        const shortCodes = some.map(({ short_code }) => short_code)
        const rows = await db.sql
          .selectFrom('short_codes')
          .select(['domain', 'short_code'])
          .where('domain', 'in', domains)
          .where('short_code', 'in', shortCodes)
          .execute()
        for (const name of rows) found.add(nameKey(name))
      }
      return names.filter((name) => found.has(nameKey(name)))
    },
  }
}

export type ImportStore = ReturnType<typeof createImportStore>
