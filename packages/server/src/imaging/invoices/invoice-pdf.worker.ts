import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import Pdf from 'pdfkit'
import { type InvoiceDocument, InvoiceSheet } from './invoice-sheet.ts'

// The built-in fonts of PDF readers only have Western European letters. This font also has the rest of Latin, Greek,
// Cyrillic and Vietnamese, and only the glyphs used are embedded.
const REGULAR = import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')
const BOLD = import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')
const regular = await readFile(fileURLToPath(REGULAR))
const bold = await readFile(fileURLToPath(BOLD))

export async function render(invoice: InvoiceDocument): Promise<Uint8Array> {
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
  pdf.registerFont('regular', regular)
  pdf.registerFont('bold', bold)
  const written = buffer(pdf)
  new InvoiceSheet(pdf, invoice).draw()
  pdf.end()
  return written
}
