import type { Database } from '../../storage/db/database.ts'
import type { InvoiceRow } from '../../storage/db/tables.ts'
import type { InvoiceDocument } from '../../imaging/invoices/invoice-sheet.ts'
import { type ListWindow, pageOf } from '../../modules/owned/listing.ts'

const SEQUENCE = 'invoices'
const ERASED_BUYER: InvoiceDocument['buyer'] = { name: '', email: '', address: null }

/** Personal data of invoices without an amount need not be kept: only their numbers are, for a gapless sequence. */
const anonymisedDocument = (document: string): string => {
  const invoice = JSON.parse(document) as InvoiceDocument
  return invoice.total === 0 ? JSON.stringify({ ...invoice, buyer: ERASED_BUYER }) : document
}

export function createInvoiceStore(db: Database) {
  const ofWorkspace = (workspaceUuid: string) =>
    db.sql.selectFrom('invoices').selectAll().where('workspace_uuid', '=', workspaceUuid)

  return {
    /** The start of the newest period with an invoice. */
    async lastPeriodStart(workspaceUuid: string): Promise<number | undefined> {
      const row = await ofWorkspace(workspaceUuid).orderBy('period_start', 'desc').limit(1).executeTakeFirst()
      return row?.period_start
    },
    /** The next number. A rollback returns it, so that the sequence has no gaps. */
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
    /** Whether the period has an invoice. */
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
    /** For a signed link, which identifies its owner. */
    findAnyByNumber(number: string): Promise<InvoiceRow | undefined> {
      return db.sql.selectFrom('invoices').selectAll().where('number', '=', number).executeTakeFirst()
    },
    /** Keeps the invoices of a deleted account without their owner. */
    async detach(workspaceUuid: string): Promise<void> {
      for (const { uuid, document } of await ofWorkspace(workspaceUuid).execute())
        await db.sql
          .updateTable('invoices')
          .set({ workspace_uuid: null, document: anonymisedDocument(document) })
          .where('uuid', '=', uuid)
          .execute()
    },
    list(workspaceUuid: string, window: ListWindow): Promise<InvoiceRow[]> {
      return pageOf(ofWorkspace(workspaceUuid), window).execute()
    },
  }
}

export type InvoiceStore = ReturnType<typeof createInvoiceStore>
