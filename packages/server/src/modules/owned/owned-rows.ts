import type { Kysely, Selectable } from 'kysely'
import type { ListFilter, ListWindow } from './listing.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Tables } from '../../storage/db/tables.ts'

/** Tables whose rows belong to a user, are found by uuid and listed newest first. */
type OwnedTable = 'qrcodes' | 'barcodes' | 'utm_links' | 'pages'

type Row<T extends OwnedTable> = Selectable<Tables[T]>

/** What the stores of owned resources have in common. */
export interface OwnedRows<T extends OwnedTable> {
  insert(row: Row<T>): Promise<void>
  find(userUuid: string, uuid: string): Promise<Row<T> | undefined>
  list(userUuid: string, window: ListWindow): Promise<Row<T>[]>
  /** Exact; only for filtered lists, since whole lists have kept totals. */
  count(userUuid: string, filter: ListFilter): Promise<number>
  /** False when the row is not the one that was read: somebody else changed it meanwhile. */
  update(seen: Row<T>, changes: Partial<Row<T>>): Promise<boolean>
  remove(userUuid: string, uuid: string): Promise<boolean>
  someOf(userUuid: string, take: number): Promise<Row<T>[]>
}

/** The columns that every owned table has; what is particular stays with the caller's types. */
interface Owned {
  owned: { uuid: string; user_uuid: string; updated_at: number }
}

export function createOwnedRows<T extends OwnedTable>(
  db: Database,
  table: T,
  searched: readonly string[],
): OwnedRows<T> {
  // The tables share these columns by name, which the query builder cannot see for a table that varies.
  const sql = (): Kysely<Owned> => db.sql as unknown as Kysely<Owned>
  const name = table as unknown as 'owned'
  const ofUser = (userUuid: string) => sql().selectFrom(name).where('user_uuid', '=', userUuid)
  const filtered = (userUuid: string, { search, uuid }: ListFilter) => {
    let query = ofUser(userUuid)
    if (uuid !== undefined) query = query.where('uuid', '=', uuid)
    return search === undefined ? query : query.where(db.dialect.contains(searched, search))
  }

  return {
    async insert(row) {
      await sql()
        .insertInto(name)
        .values(row as never)
        .execute()
    },
    async find(userUuid, uuid) {
      const row = await ofUser(userUuid).selectAll().where('uuid', '=', uuid).executeTakeFirst()
      return row as Row<T> | undefined
    },
    async list(userUuid, window) {
      const { take, before } = window
      let query = filtered(userUuid, window).selectAll().orderBy('uuid', 'desc').limit(take)
      if (before !== undefined) query = query.where('uuid', '<', before)
      return (await query.execute()) as unknown as Row<T>[]
    },
    async count(userUuid, filter) {
      const row = await filtered(userUuid, filter)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return row?.count ?? 0
    },
    async update(seen, changes) {
      const { uuid, user_uuid, updated_at } = seen as unknown as Owned['owned']
      const result = await sql()
        .updateTable(name)
        .set(changes as never)
        .where('uuid', '=', uuid)
        .where('user_uuid', '=', user_uuid)
        .where('updated_at', '=', updated_at)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async remove(userUuid, uuid) {
      const result = await sql()
        .deleteFrom(name)
        .where('uuid', '=', uuid)
        .where('user_uuid', '=', userUuid)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    async someOf(userUuid, take) {
      return (await ofUser(userUuid).selectAll().limit(take).execute()) as unknown as Row<T>[]
    },
  }
}

/** The time of a change: later than the last one, even within a millisecond or after the clock was set back. */
export const changeTime = (nowMs: number, lastMs: number): number => Math.max(nowMs, lastMs + 1)
