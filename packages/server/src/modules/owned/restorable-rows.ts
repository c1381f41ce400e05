import type { Database } from '../../storage/db/database.ts'
import type { ListFilter } from './listing.ts'
import {
  createOwnedRows,
  type OwnedRows,
  type OwnedRowsOptions,
  ownedTable,
  type RestorableTable,
  type Row,
} from './owned-rows.ts'

/** Rows of which removed ones stay in the trash for a while. */
export interface RestorableRows<
  T extends RestorableTable,
  Filter extends ListFilter = ListFilter,
> extends OwnedRows<T, Filter> {
  /** Moves rows into the trash at a time, or out of it (0). Returns how many were not there already. */
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
