import type { Database } from '../../storage/db/database.ts'
import type { BarcodeRow } from '../../storage/db/tables.ts'
import { createPublicRows, type PublicRows } from '../owned/owned-rows.ts'
import { barcodeFields } from './barcode-fields.ts'

export type { BarcodeRow }

export type BarcodeStore = PublicRows<'barcodes'>

export const createBarcodeStore = (db: Database): BarcodeStore =>
  createPublicRows(db, 'barcodes', { searched: barcodeFields.searched })
