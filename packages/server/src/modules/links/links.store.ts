import type { Updateable } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import { preparedStatement } from '../../storage/db/prepared.ts'
import type { ShortCodeRow, LinkRow } from '../../storage/db/tables.ts'
import type { ListFilter, ListWindow } from '../owned/listing.ts'
import { linkFields } from './link-fields.ts'

export type { LinkRow }

/** A short code under a domain. */
export interface ShortCodeName {
  readonly domain: string
  readonly short_code: string
}

const insertLink = preparedStatement((sql, row: LinkRow) => sql.insertInto('links').values(row))

/** One statement for both questions, whether the short code is in use and whether it ever was. */
const insertShortCode = preparedStatement(
  (sql, { tombstone, ...row }: ShortCodeRow & { tombstone: string }) =>
    sql
      .insertInto('short_codes')
      .columns(['domain', 'short_code', 'link_uuid', 'created_at'])
      .expression(
        sql
          .selectNoFrom((eb) => [
            eb.cast<string>(eb.val(row.domain), 'text').as('domain'),
            eb.cast<string>(eb.val(row.short_code), 'text').as('short_code'),
            eb.cast<string>(eb.val(row.link_uuid), 'text').as('link_uuid'),
            eb.cast<number>(eb.val(row.created_at), 'bigint').as('created_at'),
          ])
          .where((eb) =>
            eb.not(eb.exists(sql.selectFrom('tombstones').select('hash').where('hash', '=', tombstone))),
          ),
      )
      .onConflict((conflict) => conflict.columns(['domain', 'short_code']).doNothing()),
)

export function createLinkStore(db: Database) {
  const filtered = (userUuid: string, { search, uuid }: ListFilter, tag: string | undefined) => {
    let query = db.sql.selectFrom('links').where('user_uuid', '=', userUuid)
    if (uuid !== undefined) query = query.where('uuid', '=', uuid)
    if (tag !== undefined) query = query.where('tag', '=', tag)
    return search === undefined ? query : query.where(db.dialect.contains(linkFields.searched, search))
  }

  return {
    async insert(row: LinkRow): Promise<void> {
      await insertLink(db, row)
    },
    /** False when the short code is taken, by whatever it leads to, or was once and has that tombstone. */
    async insertShortCode(row: ShortCodeRow, tombstone: string): Promise<boolean> {
      const { numAffectedRows } = await insertShortCode(db, { ...row, tombstone })
      return Number(numAffectedRows ?? 0) > 0
    },
    /** The link that a short code leads to. */
    async findShortCode({ domain, short_code }: ShortCodeName): Promise<string | undefined> {
      const row = await db.sql
        .selectFrom('short_codes')
        .select('link_uuid')
        .where('domain', '=', domain)
        .where('short_code', '=', short_code)
        .executeTakeFirst()
      return row?.link_uuid
    },
    find(userUuid: string, uuid: string): Promise<LinkRow | undefined> {
      return db.sql
        .selectFrom('links')
        .selectAll()
        .where('uuid', '=', uuid)
        .where('user_uuid', '=', userUuid)
        .executeTakeFirst()
    },
    findMany(userUuid: string, uuids: readonly string[]): Promise<LinkRow[]> {
      if (uuids.length === 0) return Promise.resolve([])
      return db.sql
        .selectFrom('links')
        .selectAll()
        .where('uuid', 'in', uuids)
        .where('user_uuid', '=', userUuid)
        .execute()
    },
    list(userUuid: string, window: ListWindow, tag: string | undefined): Promise<LinkRow[]> {
      const { take, before } = window
      const query = filtered(userUuid, window, tag).selectAll().orderBy('uuid', 'desc').limit(take)
      return (before === undefined ? query : query.where('uuid', '<', before)).execute()
    },
    async count(userUuid: string, filter: ListFilter, tag: string | undefined): Promise<number> {
      const row = await filtered(userUuid, filter, tag)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return row?.count ?? 0
    },
    async tags(userUuid: string): Promise<{ tag: string; links: number }[]> {
      const rows = await db.sql
        .selectFrom('links')
        .select((eb) => ['tag', eb.fn.countAll<number>().as('links')])
        .where('user_uuid', '=', userUuid)
        .where('tag', 'is not', null)
        .groupBy('tag')
        .orderBy('tag')
        .execute()
      return rows.map(({ tag, links }) => ({ tag: tag ?? '', links }))
    },
    /** False when the row is not the one that was read: another edit was faster. */
    async update(seen: LinkRow, changes: Updateable<LinkRow>): Promise<boolean> {
      const result = await db.sql
        .updateTable('links')
        .set(changes)
        .where('uuid', '=', seen.uuid)
        .where('user_uuid', '=', seen.user_uuid)
        .where('updated_at', '=', seen.updated_at)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    /** Every short code that leads to the links, old ones too. */
    shortCodesOf(linkUuids: readonly string[]): Promise<ShortCodeName[]> {
      return db.sql
        .selectFrom('short_codes')
        .select(['domain', 'short_code'])
        .where('link_uuid', 'in', linkUuids)
        .execute()
    },
    /** Their short codes go with them. */
    async remove(userUuid: string, uuids: readonly string[]): Promise<number> {
      const result = await db.sql
        .deleteFrom('links')
        .where('uuid', 'in', uuids)
        .where('user_uuid', '=', userUuid)
        .executeTakeFirst()
      return Number(result.numDeletedRows)
    },
    async someOf(userUuid: string, take: number): Promise<string[]> {
      const rows = await db.sql
        .selectFrom('links')
        .select('uuid')
        .where('user_uuid', '=', userUuid)
        .limit(take)
        .execute()
      return rows.map((row) => row.uuid)
    },
  }
}

export type LinkStore = ReturnType<typeof createLinkStore>
