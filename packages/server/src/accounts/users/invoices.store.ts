import type { Database } from '../../storage/db/database.ts'
import type { InvoiceRow } from '../../storage/db/tables.ts'
import type { InvoiceDocument } from '../../imaging/invoices/invoice-sheet.ts'
import { type ListWindow, pageOf } from '../../modules/owned/listing.ts'

const SEQUENCE = 'invoices'
const ERASED_BUYER: InvoiceDocument['buyer'] = { name: '', email: '', address: null }

/** No law asks who got a bill of nothing: only its number is kept, so that none is missing. */
const keptDocument = (document: string): string => {
  const invoice = JSON.parse(document) as InvoiceDocument
  return invoice.total === 0 ? JSON.stringify({ ...invoice, buyer: ERASED_BUYER }) : document
}

export function createInvoiceStore(db: Database) {
  const ofWorkspace = (workspaceUuid: string) =>
    db.sql.selectFrom('invoices').selectAll().where('workspace_uuid', '=', workspaceUuid)

  return {
    /** The start of the newest period that has its invoice. */
    async lastPeriodStart(workspaceUuid: string): Promise<number | undefined> {
      const row = await ofWorkspace(workspaceUuid).orderBy('period_start', 'desc').limit(1).executeTakeFirst()
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
    async exists(workspaceUuid: string, periodStart: number): Promise<boolean> {
      const row = await ofWorkspace(workspaceUuid).where('period_start', '=', periodStart).executeTakeFirst()
      return row !== undefined
    },
    async insert(row: InvoiceRow): Promise<void> {
      await db.sql.insertInto('invoices').values(row).execute()
    },
    findNewest(workspaceUuid: string): Promise<InvoiceRow | undefined> {
      return ofWorkspace(workspaceUuid).orderBy('uuid', 'desc').limit(1).executeTakeFirst()
    },
    findByNumber(workspaceUuid: string, number: string): Promise<InvoiceRow | undefined> {
      return ofWorkspace(workspaceUuid).where('number', '=', number).executeTakeFirst()
    },
    /** For a signed link, which stands for its owner. */
    findAnyByNumber(number: string): Promise<InvoiceRow | undefined> {
      return db.sql.selectFrom('invoices').selectAll().where('number', '=', number).executeTakeFirst()
    },
    /** Keeps the invoices of an account that is removed, as invoices of none. */
    async detach(workspaceUuid: string): Promise<void> {
      for (const { uuid, document } of await ofWorkspace(workspaceUuid).execute())
        await db.sql
          .updateTable('invoices')
          .set({ workspace_uuid: null, document: keptDocument(document) })
          .where('uuid', '=', uuid)
          .execute()
    },
    list(workspaceUuid: string, window: ListWindow): Promise<InvoiceRow[]> {
      return pageOf(ofWorkspace(workspaceUuid), window).execute()
    },
  }
}

export type InvoiceStore = ReturnType<typeof createInvoiceStore>
