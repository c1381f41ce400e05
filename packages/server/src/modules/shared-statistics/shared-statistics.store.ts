import type { Database } from '../../storage/db/database.ts'
import type { SharedStatisticsRow } from '../../storage/db/tables.ts'

export type SharedStore = ReturnType<typeof createSharedStore>

/** A shared item, and the name of its link or page. */
export type SharedRow = NonNullable<Awaited<ReturnType<SharedStore['find']>>>

export function createSharedStore(db: Database) {
  /** Without items that have expired, are in the trash or belong to a deleted workspace. */
  const usable = (nowMs: number) =>
    db.sql
      .selectFrom('shared_statistics as shared')
      .innerJoin('workspaces', 'workspaces.uuid', 'shared.workspace_uuid')
      .leftJoin('links', 'links.uuid', 'shared.link_uuid')
      .leftJoin('pages', 'pages.uuid', 'shared.page_uuid')
      .selectAll('shared')
      .select(['links.title as link_title', 'links.description', 'links.short_code'])
      .select(['links.domain as link_domain', 'pages.title as page_title', 'pages.slug'])
      .select('pages.domain as page_domain')
      .where('workspaces.removed_at', 'is', null)
      .where((eb) => eb.or([eb('links.trashed_at', '=', 0), eb('pages.trashed_at', '=', 0)]))
      .where((eb) => eb.or([eb('shared.expires_at', 'is', null), eb('shared.expires_at', '>', nowMs)]))
  return {
    async insert(row: SharedStatisticsRow): Promise<void> {
      await db.sql.insertInto('shared_statistics').values(row).execute()
    },
    find: (workspaceUuid: string, uuid: string, nowMs: number) =>
      usable(nowMs)
        .where('shared.workspace_uuid', '=', workspaceUuid)
        .where('shared.uuid', '=', uuid)
        .executeTakeFirst(),
    findByHash: (tokenHash: string, nowMs: number) =>
      usable(nowMs).where('shared.token_hash', '=', tokenHash).executeTakeFirst(),
    list: (workspaceUuid: string, nowMs: number) =>
      usable(nowMs)
        .where('shared.workspace_uuid', '=', workspaceUuid)
        .orderBy('shared.created_at', 'desc')
        .orderBy('shared.uuid', 'desc')
        .execute(),
    async update(workspaceUuid: string, uuid: string, expiresAt: number | null): Promise<void> {
      await db.sql
        .updateTable('shared_statistics')
        .set({ expires_at: expiresAt })
        .where('workspace_uuid', '=', workspaceUuid)
        .where('uuid', '=', uuid)
        .execute()
    },
    async remove(workspaceUuid: string, uuid: string): Promise<boolean> {
      const { numDeletedRows } = await db.sql
        .deleteFrom('shared_statistics')
        .where('workspace_uuid', '=', workspaceUuid)
        .where('uuid', '=', uuid)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    async removeExpired(nowMs: number): Promise<void> {
      await db.sql.deleteFrom('shared_statistics').where('expires_at', '<=', nowMs).execute()
    },
    /** Whether a uuid is a link or a page of the workspace. */
    async kindOf(workspaceUuid: string, uuid: string): Promise<'link' | 'page' | undefined> {
      for (const [table, kind] of [['links', 'link'] as const, ['pages', 'page'] as const]) {
        const row = await db.sql
          .selectFrom(table)
          .select('uuid')
          .where('workspace_uuid', '=', workspaceUuid)
          .where('uuid', '=', uuid)
          .where('trashed_at', '=', 0)
          .executeTakeFirst()
        if (row !== undefined) return kind
      }
      return undefined
    },
  }
}
