import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import Pdf from 'pdfkit'
import type { InvoiceDocument } from './invoice-pdf.ts'
import { InvoiceSheet } from './invoice-sheet.ts'

// The fonts every PDF reader has know Western European letters alone; this one also has the rest of Latin, Greek,
// Cyrillic and Vietnamese, and only the glyphs used are put into the document.
const REGULAR = import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')
const BOLD = import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')

async function render(invoice: InvoiceDocument): Promise<Uint8Array<ArrayBuffer>> {
  const issuedAt = new Date(invoice.issued_at)
  const pdf = new Pdf({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `Invoice ${invoice.number}`,
      Author: invoice.seller.name,
      Creator: 'Waymark',
      Producer: 'Waymark',
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  })
  pdf.registerFont('regular', await readFile(fileURLToPath(REGULAR)))
  pdf.registerFont('bold', await readFile(fileURLToPath(BOLD)))
  const written = buffer(pdf)
  new InvoiceSheet(pdf, invoice).draw()
  pdf.end()
  return Uint8Array.from(await written)
}

const bytes = await render(workerData as InvoiceDocument)
parentPort?.postMessage(bytes, [bytes.buffer])
