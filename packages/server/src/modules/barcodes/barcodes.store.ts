import type { Database } from '../../storage/db/database.ts'
import { createOwnedRows, type OwnedRows } from '../owned/owned-rows.ts'
import type { BarcodeRow } from '../../storage/db/tables.ts'
import { barcodeFields } from './barcode-fields.ts'

export type { BarcodeRow }

export interface BarcodeStore extends OwnedRows<'barcodes'> {
  /** For visitors: of any account that exists, rows in the trash included. */
  findPublic(uuid: string): Promise<BarcodeRow | undefined>
}

export function createBarcodeStore(db: Database): BarcodeStore {
  return {
    ...createOwnedRows(db, 'barcodes', { searched: barcodeFields.searched }),
    findPublic: (uuid) =>
      db.sql
        .selectFrom('barcodes')
        .innerJoin('users', 'users.uuid', 'barcodes.user_uuid')
        .selectAll('barcodes')
        .where('barcodes.uuid', '=', uuid)
        .where('users.removed_at', 'is', null)
        .executeTakeFirst(),
  }
}
