import type { Database } from '../../storage/db/database.ts'
import { createRestorableRows, type RestorableRows } from '../owned/restorable-rows.ts'
import type { BarcodeRow } from '../../storage/db/tables.ts'
import { barcodeFields } from './barcode-fields.ts'

export type { BarcodeRow }

export interface BarcodeStore extends RestorableRows<'barcodes'> {
  /** For visitors: of any account that exists, rows in the trash included. */
  findPublic(uuid: string): Promise<BarcodeRow | undefined>
}

export function createBarcodeStore(db: Database): BarcodeStore {
  return {
    ...createRestorableRows(db, 'barcodes', { searched: barcodeFields.searched }),
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
