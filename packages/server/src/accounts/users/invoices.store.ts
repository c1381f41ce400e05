import type { Database } from '../../storage/db/database.ts'
import type { InvoiceRow } from '../../storage/db/tables.ts'
import { type ListWindow, pageOf } from '../../modules/owned/listing.ts'

const SEQUENCE = 'invoices'

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
    list(userUuid: string, window: ListWindow): Promise<InvoiceRow[]> {
      return pageOf(ofUser(userUuid), window).execute()
    },
  }
}

export type InvoiceStore = ReturnType<typeof createInvoiceStore>
