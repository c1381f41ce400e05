import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { InvoiceDocument } from './invoice-sheet.ts'
import { renderInvoicePdf } from './invoice-pdf.ts'

const invoice: InvoiceDocument = {
  number: 'INV-000042',
  issued_at: '2026-11-15T10:00:00.000Z',
  due_at: '2026-11-29T10:00:00.000Z',
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
  currency: 'EUR',
  seller: { name: 'Waymark GmbH', address: 'Torstraße 1\n10119 Berlin', tax_id: 'DE123456789' },
  buyer: { name: 'Łukasz Żółć', email: 'lukasz@example.com', address: 'Świętokrzyska 12\nWarszawa' },
  lines: [{ description: 'Plan pro, one month', quantity: 2, unit_price: 1450, amount: 2900 }],
  subtotal: 2900,
  tax: { rate: 19, amount: 551 },
  total: 3451,
}

describe('renderInvoicePdf', () => {
  it('contains everything that an invoice needs', async () => {
    const [page, ...others] = textOfPages(await renderInvoicePdf(invoice))
    expect(others).toEqual([])
    const expected = `Invoice|INV-000042|15 November 2026|29 November 2026|1 Nov 2026 – 30 Nov 2026
      From|Waymark GmbH|Torstraße 1|10119 Berlin|Tax ID DE123456789
      Billed to|Łukasz Żółć|Świętokrzyska 12|Warszawa|lukasz@example.com|EUR 34.51 due on 29 November 2026
      Unit price (EUR)|Plan pro, one month|2|14.50|29.00
      Subtotal|EUR 29.00|Tax (19%)|EUR 5.51|Total|EUR 34.51|Page 1 of 1`
    for (const text of expected.split(/\n\s*|\|/)) expect(page).toContain(text)
  })

  it('is the same bytes each time, and different ones for another invoice', async () => {
    const [first, second, other] = await Promise.all([
      renderInvoicePdf(invoice),
      renderInvoicePdf(invoice),
      renderInvoicePdf({ ...invoice, number: 'INV-000043' }),
    ])
    expect(first.subarray(0, 5).toString()).toBe('%PDF-')
    expect(first.toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true)
    expect(first.equals(second)).toBe(true)
    expect(first.equals(other)).toBe(false)
  })

  it('repeats the table header on each page, and has one total', async () => {
    const lines = Array.from({ length: 70 }, (_, index) => ({
      description: `Seat ${index + 1}`,
      quantity: 1,
      unit_price: 100,
      amount: 100,
    }))
    const pages = textOfPages(await renderInvoicePdf({ ...invoice, lines }))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flat().filter((text) => /^Seat \d+$/.test(text))).toEqual(
      lines.map((line) => line.description),
    )
    for (const [index, page] of pages.entries())
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
    expect(pages[1]).toContain('Invoice INV-000042, continued')
    expect(pages.slice(0, -1).every((page) => page.includes('Description'))).toBe(true)
    expect(pages.flat().filter((text) => text === 'Total')).toHaveLength(1)
  })

  it('charges nothing for a free plan, and leaves out unknown fields', async () => {
    const free: InvoiceDocument = {
      ...invoice,
      currency: 'USD',
      seller: { name: 'Waymark', address: null, tax_id: null },
      buyer: { name: 'a@example.com', email: 'a@example.com', address: null },
      lines: [{ description: 'Plan free, one month', quantity: 1, unit_price: 0, amount: 0 }],
      subtotal: 0,
      tax: { rate: 0, amount: 0 },
      total: 0,
    }
    const text = textOfPages(await renderInvoicePdf(free)).flat()
    expect(text).toContain('USD 0.00 – nothing to pay')
    expect(text.filter((line) => line === 'a@example.com')).toHaveLength(1)
    expect(text.join('\n')).not.toMatch(/null|Tax ID/)
  })

  it('supports every script, and names and addresses of any length', async () => {
    const buyer = {
      name: '株式会社 Ωμέγα Иванов 👩‍💻',
      email: `${'x'.repeat(240)}@example.com`,
      address: `${'line\n'.repeat(200)}${'long '.repeat(300)}\0`,
    }
    const lines = [{ description: 'W'.repeat(3000), quantity: 1, unit_price: 1, amount: 1 }]
    const pages = textOfPages(await renderInvoicePdf({ ...invoice, buyer, lines }))
    expect(pages.flat()).toContain('□□□□ Ωμέγα Иванов □')
    expect(pages.flat().join(' ')).toContain('stands for a character this document cannot show')
    expect(pages.length).toBeLessThan(3)
  })

  it('rejects invalid invoices instead of hanging', async () => {
    await expect(renderInvoicePdf({ ...invoice, currency: 'no currency' })).rejects.toThrow(RangeError)
    expect((await renderInvoicePdf(invoice)).length).toBeGreaterThan(1000)
  })
})

/** The texts of each page in drawing order, decoded with the tables of the fonts. */
function textOfPages(pdf: Buffer): string[][] {
  const source = pdf.toString('latin1')
  const objects = new Map(
    [...source.matchAll(/^(\d+) 0 obj\n(.*?)\nendobj/gms)].map(([, id = '', body = '']) => [id, body]),
  )
  const streamOf = (id: string) => {
    const body = objects.get(id) ?? ''
    const data = Buffer.from(
      body.slice(body.indexOf('stream\n') + 7, body.lastIndexOf('\nendstream')),
      'latin1',
    )
    return (body.includes('/FlateDecode') ? inflateSync(data) : data).toString('latin1')
  }
  const reference = (body: string, key: string) => new RegExp(`/${key} (\\d+) 0 R`).exec(body)?.[1] ?? ''
  const glyphs = (font: string) => {
    const table = streamOf(reference(objects.get(font) ?? '', 'ToUnicode'))
    const list = [...table.matchAll(/\[([^\]]*)\]/g)].flatMap(([, codes = '']) => [
      ...codes.matchAll(/<([0-9a-f ]*)>/g),
    ])
    return list.map(([, hex = '']) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
    )
  }
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\n/.test(body))
  return pages.map((page) => {
    const resources = objects.get(reference(page, 'Resources')) ?? ''
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => [name, glyphs(id)]),
    )
    let font: string[] = []
    const texts: string[] = []
    for (const [, name, shown] of streamOf(reference(page, 'Contents')).matchAll(
      /\/(F\d+) [\d.]+ Tf|\[(.*)\] TJ/g,
    )) {
      if (name !== undefined) font = fonts.get(name) ?? []
      const hex = [...(shown ?? '').matchAll(/<([0-9a-f]+)>/g)].map(([, run]) => run).join('')
      const text = (hex.match(/.{4}/g) ?? []).map((glyph) => font[Number.parseInt(glyph, 16)] ?? '?').join('')
      if (shown !== undefined) texts.push(text.replaceAll('\u00a0', ' ').trim())
    }
    return texts
  })
}
