import type { Database } from '../../storage/db/database.ts'
import { createRestorableRows, type RestorableRows } from '../owned/restorable-rows.ts'
import type { QrcodeRow } from '../../storage/db/tables.ts'
import { qrcodeFields } from './qrcode-fields.ts'

export type { QrcodeRow }

export interface QrcodeStore extends RestorableRows<'qrcodes'> {
  /** For visitors: of any account that exists, rows in the trash included. */
  findPublic(uuid: string): Promise<QrcodeRow | undefined>
}

export function createQrcodeStore(db: Database): QrcodeStore {
  return {
    ...createRestorableRows(db, 'qrcodes', { searched: qrcodeFields.searched }),
    findPublic: (uuid) =>
      db.sql
        .selectFrom('qrcodes')
        .innerJoin('users', 'users.uuid', 'qrcodes.user_uuid')
        .selectAll('qrcodes')
        .where('qrcodes.uuid', '=', uuid)
        .where('users.removed_at', 'is', null)
        .executeTakeFirst(),
  }
}
