import { admission } from '../../net/admission/lanes.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import { bufferOf, Threads } from '../../work/threads.ts'
import type { InvoiceDocument } from './invoice-sheet.ts'
import type * as work from './invoice-pdf.worker.ts'

const flights = new SingleFlight<Buffer>()

/** Loading the library takes several times as long as an invoice, so the thread stays for the next ones. */
const thread = new Threads<typeof work>(new URL('./invoice-pdf.worker.ts', import.meta.url), {
  idleMs: 10_000,
  limitMs: 20_000,
})

/** The same document gives the same bytes. It is rendered in a thread, once for all concurrent requests. */
export function renderInvoicePdf(invoice: InvoiceDocument): Promise<Buffer> {
  return flights.run(JSON.stringify(invoice), () => admission.run('pdfs', () => renderInThread(invoice)))
}

async function renderInThread(invoice: InvoiceDocument): Promise<Buffer> {
  return bufferOf(await thread.run('render', invoice))
}
