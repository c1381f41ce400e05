import type { Database } from '../../storage/db/database.ts'
import type { LinkVersionRow } from '../../storage/db/tables.ts'

export type { LinkVersionRow }

export function createHistoryStore(db: Database) {
  const ofLink = (linkUuid: string) =>
    db.sql.selectFrom('link_versions').selectAll().where('link_uuid', '=', linkUuid)

  return {
    async insert(rows: readonly LinkVersionRow[]): Promise<void> {
      await db.sql.insertInto('link_versions').values(rows).execute()
    },
    /** Newest first. */
    list(linkUuid: string, take: number): Promise<LinkVersionRow[]> {
      return ofLink(linkUuid).orderBy('uuid', 'desc').limit(take).execute()
    },
    find(linkUuid: string, uuid: string): Promise<LinkVersionRow | undefined> {
      return ofLink(linkUuid).where('uuid', '=', uuid).executeTakeFirst()
    },
    /** Removes what is older than a version or a time. */
    async removeOlder(linkUuid: string, thanUuid: string, thanMs: number): Promise<void> {
      await db.sql
        .deleteFrom('link_versions')
        .where('link_uuid', '=', linkUuid)
        .where((eb) => eb.or([eb('uuid', '<', thanUuid), eb('created_at', '<', thanMs)]))
        .execute()
    },
    /** Removes versions of any link that were kept before one of that uuid would have been; returns how many. */
    async removeSome(thanUuid: string, take: number): Promise<number> {
      const { numDeletedRows } = await db.sql
        .deleteFrom('link_versions')
        .where('uuid', 'in', (eb) =>
          eb
            .selectFrom('link_versions')
            .select('uuid')
            .where('uuid', '<', thanUuid)
            .orderBy('uuid')
            .limit(take),
        )
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
    async keyName(keyUuid: string): Promise<string | null> {
      const row = await db.sql
        .selectFrom('api_keys')
        .select('name')
        .where('uuid', '=', keyUuid)
        .executeTakeFirst()
      return row?.name ?? null
    },
  }
}

export type HistoryStore = ReturnType<typeof createHistoryStore>
