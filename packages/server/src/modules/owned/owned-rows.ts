import {
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql as raw,
  type SqlBool,
} from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import type { Tables } from '../../storage/db/tables.ts'
import { type ListFilter, type ListWindow, pageOf } from './listing.ts'

/** Tables with a trash. */
type RestorableTable = 'links' | 'qrcodes' | 'barcodes' | 'utm_links' | 'pages' | 'webhooks'

/** Tables whose rows belong to a user, are found by uuid and listed newest first. */
type OwnedTable = RestorableTable | 'domains' | 'domain_claims'

type Row<T extends OwnedTable> = Selectable<Tables[T]>

/** Common functions of stores of owned resources. They ignore rows in the trash unless stated. */
export interface OwnedRows<T extends OwnedTable, Filter extends ListFilter = ListFilter> {
  insert(row: Row<T>): Promise<void>
  find(workspaceUuid: string, uuid: string): Promise<Row<T> | undefined>
  /** Including those in the trash. */
  findMany(workspaceUuid: string, uuids: readonly string[]): Promise<Row<T>[]>
  list(workspaceUuid: string, window: ListWindow & Filter): Promise<Row<T>[]>
  /** The sort value of a row. */
  sortValue(row: Row<T>, sort: string): number
  /** Exact; only for filtered lists, because whole lists have stored totals. */
  count(workspaceUuid: string, filter: Filter): Promise<number>
  /** False if another request has changed or deleted the row since it was read. */
  update(seen: Row<T>, changes: Partial<Row<T>>): Promise<boolean>
  /** Deletes rows, including those in the trash. */
  remove(workspaceUuid: string, uuids: readonly string[]): Promise<number>
  /** Some rows of a user, including those in the trash. */
  someOf(workspaceUuid: string, take: number): Promise<Row<T>[]>
}

/** The columns that every owned table has; others are only known to the callers' types. */
interface Owned {
  owned: {
    uuid: string
    workspace_uuid: string | null
    updated_at: number
    /** Only in tables with a trash. */
    trashed_at: number
  }
}

type Rows = SelectQueryBuilder<Owned, 'owned', object>

/** A sort order: an indexed expression, and its value for a row. */
interface Sort<Row> {
  readonly expression: RawBuilder<unknown>
  readonly valueOf: (row: Row) => number
}

interface OwnedRowsOptions<Row, Filter> {
  /** The columns that a search includes. */
  readonly searched: readonly string[] | ((filter: Filter) => readonly string[])
  /** Applies additional filters. */
  readonly narrow?: (query: Rows, filter: Filter, workspaceUuid: string) => Rows
  /** Sort orders besides creation. */
  readonly sorts?: Readonly<Record<string, Sort<Row>>>
  /** Whether a filter has its own index and usually leaves few rows, which are sorted after reading. */
  readonly isSelective?: (filter: Filter) => boolean
  /** Whether removed rows stay in the table for a while. */
  readonly hasTrash?: boolean
}

/** The tables share these columns by name, which the query builder cannot see for a variable table. */
const ownedTable = (db: Database, table: OwnedTable) => ({
  sql: (): Kysely<Owned> => db.sql as unknown as Kysely<Owned>,
  name: table as unknown as 'owned',
})

export function createOwnedRows<T extends OwnedTable, Filter extends ListFilter = ListFilter>(
  db: Database,
  table: T,
  options: OwnedRowsOptions<Row<T>, Filter>,
): OwnedRows<T, Filter> {
  const { searched, narrow = (query) => query, sorts = {}, isSelective, hasTrash = false } = options
  const { sql, name } = ownedTable(db, table)
  const ofUser = (workspaceUuid: string) => sql().selectFrom(name).where('workspace_uuid', '=', workspaceUuid)
  const inUse = (workspaceUuid: string) =>
    ofUser(workspaceUuid).$if(hasTrash, (query) => query.where('trashed_at', '=', 0))
  const filtered = (workspaceUuid: string, filter: Filter) => {
    const { search, uuid } = filter
    let query = narrow(inUse(workspaceUuid), filter, workspaceUuid)
    if (uuid !== undefined) query = query.where('uuid', '=', uuid)
    if (search === undefined) return query
    const columns = typeof searched === 'function' ? searched(filter) : searched
    return query.where(db.dialect.contains(columns, search))
  }

  return {
    async insert(row) {
      await sql()
        .insertInto(name)
        .values(row as never)
        .execute()
    },
    async find(workspaceUuid, uuid) {
      const row = await inUse(workspaceUuid).selectAll().where('uuid', '=', uuid).executeTakeFirst()
      return row as Row<T> | undefined
    },
    async findMany(workspaceUuid, uuids) {
      if (uuids.length === 0) return []
      return (await sql()
        .selectFrom(name)
        .selectAll()
        .where('uuid', 'in', uuids)
        .where(db.dialect.ownedBy(workspaceUuid))
        .execute()) as never
    },
    async list(workspaceUuid, window) {
      const rows = filtered(workspaceUuid, window).selectAll()
      const indexed = sorts[window.sort]?.expression
      // With the plus it is not the indexed expression: SQLite would walk that index, and read every row for a few results.
      const isWalked = indexed !== undefined && isSelective?.(window) !== true
      if (isWalked && db.engine === 'sqlite') return (await inTwoSteps(rows, window, indexed)) as never
      const sorted = indexed === undefined || isWalked ? indexed : raw`+${indexed}`
      return (await pageOf(rows, window, sorted).execute()) as never
    },
    sortValue: (row, sort) => sorts[sort]?.valueOf(row) ?? 0,
    async count(workspaceUuid, filter) {
      const query = filtered(workspaceUuid, filter)
      // A search reads every row. By uuid, adjacent rows are read one after another; without this condition SQLite may choose an
      // index by clicks, whose rows are scattered over the table.
      const row = await (filter.search === undefined ? query : query.where('uuid', '>', ''))
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return row?.count ?? 0
    },
    async update(seen, changes) {
      const { uuid, workspace_uuid, updated_at } = seen as unknown as Owned['owned']
      const result = await sql()
        .updateTable(name)
        .set(changes as never)
        .where('uuid', '=', uuid)
        // Domains of the instance have no owner.
        .where('workspace_uuid', workspace_uuid === null ? 'is' : '=', workspace_uuid)
        .where('updated_at', '=', updated_at)
        .$if(hasTrash, (query) => query.where('trashed_at', '=', 0))
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async remove(workspaceUuid, uuids) {
      const result = await sql()
        .deleteFrom(name)
        .where('uuid', 'in', uuids)
        .where(db.dialect.ownedBy(workspaceUuid))
        .executeTakeFirst()
      return Number(result.numDeletedRows)
    },
    async someOf(workspaceUuid, take) {
      return (await ofUser(workspaceUuid).selectAll().limit(take).execute()) as never
    },
  }
}

/**
 * Reads a page through the index of an expression. SQLite can only seek in it by the expression alone, so the rest of the
 * rows with the same value are read first, then the others.
 */
async function inTwoSteps<DB, TB extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, TB, O>,
  window: ListWindow,
  indexed: RawBuilder<unknown>,
): Promise<O[]> {
  const { after, ascending, take } = window
  if (after === undefined) return pageOf(rows, window, indexed).execute()
  const same = await pageOf(rows.where(raw<SqlBool>`${indexed} = ${after.value}`), window).execute()
  if (same.length >= take) return same
  const beyond = rows.where(raw<SqlBool>`${indexed} ${raw.raw(ascending ? '>' : '<')} ${after.value}`)
  const left = { ...window, after: undefined, take: take - same.length }
  return [...same, ...(await pageOf(beyond, left, indexed).execute())]
}

/** The time of a change: later than the last one, even within a millisecond or after the clock was set back. */
export const changeTime = (nowMs: number, lastMs: number): number => Math.max(nowMs, lastMs + 1)

/** Rows that stay in the trash for a while when they are removed. */
export interface RestorableRows<
  T extends RestorableTable,
  Filter extends ListFilter = ListFilter,
> extends OwnedRows<T, Filter> {
  /** Moves rows into the trash at a time, or out of it (0). Returns how many were moved. */
  moveToTrash(workspaceUuid: string, uuids: readonly string[], trashedAt: number): Promise<number>
}

export function createRestorableRows<T extends RestorableTable, Filter extends ListFilter = ListFilter>(
  db: Database,
  table: T,
  options: Omit<OwnedRowsOptions<Row<T>, Filter>, 'hasTrash'>,
): RestorableRows<T, Filter> {
  const { sql, name } = ownedTable(db, table)
  return {
    ...createOwnedRows<T, Filter>(db, table, { ...options, hasTrash: true }),
    async moveToTrash(workspaceUuid, uuids, trashedAt) {
      const result = await sql()
        .updateTable(name)
        .set({ trashed_at: trashedAt })
        .where('uuid', 'in', uuids)
        .where(db.dialect.ownedBy(workspaceUuid))
        .where('trashed_at', trashedAt === 0 ? '>' : '=', 0)
        .executeTakeFirst()
      return Number(result.numUpdatedRows)
    },
  }
}

type PublicTable = 'qrcodes' | 'barcodes'

/** Rows with pictures for visitors. */
export interface PublicRows<
  T extends PublicTable,
  Filter extends ListFilter = ListFilter,
> extends RestorableRows<T, Filter> {
  /** Of any existing account, including rows in the trash. */
  findPublic(uuid: string): Promise<Row<T> | undefined>
}

export function createPublicRows<T extends PublicTable, Filter extends ListFilter = ListFilter>(
  db: Database,
  table: T,
  { searched }: Pick<OwnedRowsOptions<Row<T>, Filter>, 'searched'>,
): PublicRows<T, Filter> {
  const name: PublicTable = table
  return {
    ...createRestorableRows<T, Filter>(db, table, { searched }),
    async findPublic(uuid) {
      const row = await db.sql
        .selectFrom(name)
        .selectAll()
        .where('uuid', '=', uuid)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('workspaces')
              .select('workspaces.uuid')
              .whereRef('workspaces.uuid', '=', 'workspace_uuid')
              .where('workspaces.removed_at', 'is', null),
          ),
        )
        .executeTakeFirst()
      return row as Row<T> | undefined
    },
  }
}
