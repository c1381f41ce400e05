import type { Database } from '../../storage/db/database.ts'
import type { QrcodeRow } from '../../storage/db/tables.ts'
import { createPublicRows, type PublicRows } from '../owned/owned-rows.ts'
import { qrcodeFields } from './qrcode-fields.ts'

export type { QrcodeRow }

export type QrcodeStore = PublicRows<'qrcodes'>

export const createQrcodeStore = (db: Database): QrcodeStore =>
  createPublicRows(db, 'qrcodes', { searched: qrcodeFields.searched })
