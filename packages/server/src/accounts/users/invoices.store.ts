import type { Database } from '../../storage/db/database.ts'
import type { InvoiceRow } from '../../storage/db/tables.ts'
import type { InvoiceDocument } from '../../imaging/invoices/invoice-document.ts'
import { type ListWindow, pageOf } from '../../modules/owned/listing.ts'

const SEQUENCE = 'invoices'
const ERASED_BUYER: InvoiceDocument['buyer'] = { name: '', email: '', address: null }

/** No law asks who got a bill of nothing: only its number is kept, so that none is missing. */
const keptDocument = (document: string): string => {
  const invoice = JSON.parse(document) as InvoiceDocument
  return invoice.total === 0 ? JSON.stringify({ ...invoice, buyer: ERASED_BUYER }) : document
}

export function createInvoiceStore(db: Database) {
  const ofUser = (userUuid: string) =>
    db.sql.selectFrom('invoices').selectAll().where('user_uuid', '=', userUuid)

  return {
    /** The start of the newest period that has its invoice. */
    async lastPeriodStart(userUuid: string): Promise<number | undefined> {
      const row = await ofUser(userUuid).orderBy('period_start', 'desc').limit(1).executeTakeFirst()
      return row?.period_start
    },
    /** The next number; taken back with the transaction, so that none is ever missing. */
    async nextNumber(): Promise<number> {
      const row = await db.sql
        .insertInto('sequences')
        .values({ name: SEQUENCE, value: 1 })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet((eb) => ({ value: eb('sequences.value', '+', 1) })),
        )
        .returning('value')
        .executeTakeFirstOrThrow()
      return row.value
    },
    /** False when the period has its invoice already. */
    async exists(userUuid: string, periodStart: number): Promise<boolean> {
      const row = await ofUser(userUuid).where('period_start', '=', periodStart).executeTakeFirst()
      return row !== undefined
    },
    async insert(row: InvoiceRow): Promise<void> {
      await db.sql.insertInto('invoices').values(row).execute()
    },
    findNewest(userUuid: string): Promise<InvoiceRow | undefined> {
      return ofUser(userUuid).orderBy('uuid', 'desc').limit(1).executeTakeFirst()
    },
    findByNumber(userUuid: string, number: string): Promise<InvoiceRow | undefined> {
      return ofUser(userUuid).where('number', '=', number).executeTakeFirst()
    },
    /** For a signed link, which stands for its owner. */
    findAnyByNumber(number: string): Promise<InvoiceRow | undefined> {
      return db.sql.selectFrom('invoices').selectAll().where('number', '=', number).executeTakeFirst()
    },
    /** Keeps the invoices of an account that is removed, as invoices of none. */
    async detach(userUuid: string): Promise<void> {
      for (const { uuid, document } of await ofUser(userUuid).execute())
        await db.sql
          .updateTable('invoices')
          .set({ user_uuid: null, document: keptDocument(document) })
          .where('uuid', '=', uuid)
          .execute()
    },
    list(userUuid: string, window: ListWindow): Promise<InvoiceRow[]> {
      return pageOf(ofUser(userUuid), window).execute()
    },
  }
}

export type InvoiceStore = ReturnType<typeof createInvoiceStore>
