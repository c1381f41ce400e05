import type { Database } from '../../storage/db/database.ts'
import type { QrcodeRow } from '../../storage/db/tables.ts'
import type { ListFilter } from '../owned/listing.ts'
import { createPublicRows, type PublicRows } from '../owned/owned-rows.ts'
import { qrcodeFields } from './qrcode-fields.ts'

export type { QrcodeFilter, QrcodeRow }

/** Requests with the key alone do not see the content of a code, so their searches ignore it. */
interface QrcodeFilter extends ListFilter {
  readonly searchesContent?: true | undefined
}

export type QrcodeStore = PublicRows<'qrcodes', QrcodeFilter>

export const createQrcodeStore = (db: Database): QrcodeStore =>
  createPublicRows(db, 'qrcodes', {
    searched: ({ searchesContent }: QrcodeFilter) =>
      searchesContent === true ? [...qrcodeFields.searched, 'content_text'] : qrcodeFields.searched,
  })
