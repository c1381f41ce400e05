import type { Database } from '../../storage/db/database.ts'
import { createOwnedRows, type OwnedRows } from '../owned/owned-rows.ts'
import type { QrcodeRow } from '../../storage/db/tables.ts'

export type { QrcodeRow }

export interface QrcodeStore extends OwnedRows<'qrcodes'> {
  /** For visitors: whoever it belongs to, as long as his account is there. */
  findPublic(uuid: string): Promise<QrcodeRow | undefined>
  findMany(userUuid: string, uuids: readonly string[]): Promise<QrcodeRow[]>
}

export function createQrcodeStore(db: Database): QrcodeStore {
  return {
    ...createOwnedRows(db, 'qrcodes', ['url', 'encodes', 'description']),
    findPublic: (uuid) =>
      db.sql
        .selectFrom('qrcodes')
        .innerJoin('users', 'users.uuid', 'qrcodes.user_uuid')
        .selectAll('qrcodes')
        .where('qrcodes.uuid', '=', uuid)
        .where('users.removed_at', 'is', null)
        .executeTakeFirst(),
    findMany: (userUuid, uuids) =>
      uuids.length === 0
        ? Promise.resolve([])
        : db.sql
            .selectFrom('qrcodes')
            .selectAll()
            .where('uuid', 'in', uuids)
            .where('user_uuid', '=', userUuid)
            .execute(),
  }
}
