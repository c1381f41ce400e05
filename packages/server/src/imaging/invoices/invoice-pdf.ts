import { Worker } from 'node:worker_threads'
import { admission } from '../../runtime/admission/lanes.ts'
import { SingleFlight } from '../../runtime/single-flight.ts'

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

/**
 * The same document gives the same bytes, whenever it is rendered. Setting type takes a fifth of a second, so that
 * it happens in a thread of its own, once for all who ask meanwhile; the thread's memory goes with it.
 */
export function renderInvoicePdf(invoice: InvoiceDocument): Promise<Buffer> {
  return flights.run(JSON.stringify(invoice), () => admission.run('pdfs', () => renderInThread(invoice)))
}

function renderInThread(invoice: InvoiceDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./invoice-pdf.worker.ts', import.meta.url), { workerData: invoice })
    worker.once('message', (bytes: Uint8Array<ArrayBuffer>) => resolve(Buffer.from(bytes.buffer)))
    worker.once('error', reject)
    // Does nothing once a response has come.
    worker.once('exit', () => reject(new Error('The invoice was not rendered')))
  })
}
