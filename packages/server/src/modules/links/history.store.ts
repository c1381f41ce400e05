import { chunksOf } from '../../storage/db/chunks.ts'
import type { Database } from '../../storage/db/database.ts'
import type { LinkVersionRow } from '../../storage/db/tables.ts'

export type { LinkVersionRow }

const ROWS = 500

export function createHistoryStore(db: Database) {
  const ofLink = (linkUuid: string) =>
    db.sql.selectFrom('link_versions').selectAll().where('link_uuid', '=', linkUuid)

  return {
    async insert(rows: readonly LinkVersionRow[]): Promise<void> {
      for (const some of chunksOf(rows, ROWS)) await db.sql.insertInto('link_versions').values(some).execute()
    },
    /** Newest first. */
    list(linkUuid: string, take: number): Promise<LinkVersionRow[]> {
      return ofLink(linkUuid).orderBy('uuid', 'desc').limit(take).execute()
    },
    find(linkUuid: string, uuid: string): Promise<LinkVersionRow | undefined> {
      return ofLink(linkUuid).where('uuid', '=', uuid).executeTakeFirst()
    },
    /** How many versions links have; those without any are left out. */
    async counts(linkUuids: readonly string[]): Promise<Map<string, number>> {
      const rows = await db.sql
        .selectFrom('link_versions')
        .select((eb) => ['link_uuid', eb.fn.countAll<number>().as('count')])
        .where('link_uuid', 'in', linkUuids)
        .groupBy('link_uuid')
        .execute()
      return new Map(rows.map(({ link_uuid, count }) => [link_uuid, count]))
    },
    /** Removes what is older than a time. */
    async removeOlder(linkUuids: readonly string[], thanMs: number): Promise<void> {
      await db.sql
        .deleteFrom('link_versions')
        .where('link_uuid', 'in', linkUuids)
        .where('created_at', '<', thanMs)
        .execute()
    },
    /** Removes all but the newest of a link. */
    async removeAllBut(linkUuid: string, kept: number): Promise<void> {
      const newest = await ofLink(linkUuid).orderBy('uuid', 'desc').limit(kept).execute()
      await db.sql
        .deleteFrom('link_versions')
        .where('link_uuid', '=', linkUuid)
        .where('uuid', '<', newest.at(-1)?.uuid ?? '')
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
