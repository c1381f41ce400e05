import { admission } from '../../runtime/admission/lanes.ts'
import { SingleFlight } from '../../runtime/single-flight.ts'
import { TaskThread } from '../../runtime/task-thread.ts'

/** An invoice as it was issued. Times are ISO 8601, amounts in the smallest unit of the currency. */
export interface InvoiceDocument {
  readonly number: string
  readonly issued_at: string
  readonly due_at: string
  readonly period_start: string
  /** The moment the next period begins. */
  readonly period_end: string
  readonly currency: string
  readonly seller: { readonly name: string; readonly address: string | null; readonly tax_id: string | null }
  readonly buyer: { readonly name: string; readonly email: string; readonly address: string | null }
  readonly lines: readonly {
    readonly description: string
    readonly quantity: number
    readonly unit_price: number
    readonly amount: number
  }[]
  readonly subtotal: number
  /** `rate` in percent. */
  readonly tax: { readonly rate: number; readonly amount: number }
  readonly total: number
}

const flights = new SingleFlight<Buffer>()

/** Loading the library takes several times as long as an invoice, so the thread is kept for the next ones. */
const thread = new TaskThread<InvoiceDocument, Uint8Array<ArrayBuffer>>(
  new URL('./invoice-pdf.worker.ts', import.meta.url),
  { name: 'invoices', idleMs: 10_000, limitMs: 20_000 },
)

/** The same document gives the same bytes. They are made in a thread, once for all who ask at the same time. */
export function renderInvoicePdf(invoice: InvoiceDocument): Promise<Buffer> {
  return flights.run(JSON.stringify(invoice), () => admission.run('pdfs', () => renderInThread(invoice)))
}

/** The gate lets one in at a time. */
async function renderInThread(invoice: InvoiceDocument): Promise<Buffer> {
  return Buffer.from((await thread.run(invoice)).buffer)
}
