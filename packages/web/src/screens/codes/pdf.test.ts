import { drawQr } from '@waymark/codes'
import { drawBarcode } from '@waymark/codes/barcodes'
import { describe, expect, test } from 'vitest'
import { pdfPath } from './pdf-path.ts'
import { toPdf } from './pdf.ts'

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

describe('pdfPath', () => {
  test('applies relative commands to the current point', () =>
    expect(pdfPath('M1 2h3v-1l-1 2z')).toBe('1 2 m\n4 2 l\n4 1 l\n3 3 l\nh'))
  test('closing returns to the start', () =>
    expect(pdfPath('M1 1h2zm1 0h1')).toBe('1 1 m\n3 1 l\nh\n2 1 m\n3 1 l'))
  test('repeated arguments repeat the command', () =>
    expect(pdfPath('M0 0l1 1 2-3')).toBe('0 0 m\n1 1 l\n3 -2 l'))
  test('quadratic curves become cubic', () => expect(pdfPath('M0 0q3 0 3 3')).toBe('0 0 m\n2 0 3 1 3 3 c'))
  test('rejects unsupported commands', () => expect(() => pdfPath('M0 0A1 1')).toThrow('command A'))
})

describe('toPdf', () => {
  const objectsOf = (pdf: string): void => {
    const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1])
    expect(pdf.slice(start, start + 4)).toBe('xref')
    const offsets = [...pdf.slice(start).matchAll(/(\d{10}) 00000 n/g)].map((match) => Number(match[1]))
    expect(offsets.length).toBeGreaterThanOrEqual(4)
    for (const [index, offset] of offsets.entries())
      expect(pdf.slice(offset).startsWith(`${index + 1} 0 obj`)).toBe(true)
  }

  test('every object is at its offset in the table', () => {
    const pdf = latin(toPdf(drawQr({ text: 'https://example.com/', color: '#ff0000', size: 400 })))
    objectsOf(pdf)
    expect(pdf).toContain('/MediaBox [0 0 300 300]')
    expect(pdf).toContain('1 0 0 rg')
    expect(pdf).toContain('f*')
  })

  test('dots are strokes with round ends', () =>
    expect(latin(toPdf(drawQr({ text: 'x', pattern: 'dots' })))).toMatch(/ w 1 J\n[\s\S]*\nS\nQ/))

  test('a barcode keeps its caption as outlines', async () => {
    const pdf = latin(
      toPdf(await drawBarcode({ text: 'https://example.com/', caption: 'Hello', captionColor: '#00ff00' })),
    )
    objectsOf(pdf)
    expect(pdf).toContain('0 1 0 rg')
    expect(pdf).toContain(' c\n')
  })

  test('a logo is a separate image', () => {
    const logo = 'data:image/png;base64,iVBORw0KGgo='
    const pdf = latin(toPdf(drawQr({ text: 'x', logo }), { jpeg: new Uint8Array([1, 2, 3]), sidePx: 10 }))
    objectsOf(pdf)
    expect(pdf).toContain('/Logo Do')
    expect(pdf).toContain('/Length 3')
  })
})
