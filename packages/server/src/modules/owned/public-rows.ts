import type { Database } from '../../storage/db/database.ts'
import type { ListFilter } from './listing.ts'
import type { OwnedRowsOptions, Row } from './owned-rows.ts'
import { createRestorableRows, type RestorableRows } from './restorable-rows.ts'

type PublicTable = 'qrcodes' | 'barcodes'

/** Rows whose pictures visitors can open. */
export interface PublicRows<T extends PublicTable> extends RestorableRows<T> {
  /** Of any account that exists, rows in the trash included. */
  findPublic(uuid: string): Promise<Row<T> | undefined>
}

export function createPublicRows<T extends PublicTable>(
  db: Database,
  table: T,
  { searched }: Pick<OwnedRowsOptions<Row<T>, ListFilter>, 'searched'>,
): PublicRows<T> {
  const name: PublicTable = table
  return {
    ...createRestorableRows<T>(db, table, { searched }),
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
