import { drawQr } from '@waymark/codes'
import { drawBarcode } from '@waymark/codes/barcodes'
import { expect, test } from 'vitest'
import { codeReader } from './read-code.ts'
import { letterOf } from './grade.ts'
import { proveBarcode, proveQr } from './proof.ts'
import { toPng } from './raster.ts'

const text = 'https://example.com/menu?table=7'

test.each([
  [12, 'A'],
  [11, 'B'],
  [10, 'B'],
  [9, 'C'],
  [8, 'C'],
  [6, 'D'],
  [5, 'F'],
])('%i of 12 is %s', (read, letter) => expect(letterOf(read)).toBe(letter))

test('a plain code gets an A, and the same picture always gets the same grade', async () => {
  const png = await toPng(drawQr({ text }))
  const grade = await codeReader.grade(png, text, 'qr')
  expect(grade).toEqual({ letter: 'A', reasons: [] })
  expect(await codeReader.grade(png, text, 'qr')).toEqual(grade)
})

test('a picture with another text gets an F', async () => {
  const png = await toPng(drawQr({ text }))
  expect((await codeReader.grade(png, `${text}0`, 'qr')).letter).toBe('F')
})

test('the narrowest print has 0.4 mm per module, including the quiet zone', async () => {
  const { qr } = drawQr({ text })
  const { grade } = await proveQr({ text }, codeReader)
  expect(grade.min_width_mm).toBeCloseTo((qr.modules + 2 * qr.quietModules) * 0.4, 0)
})

test.each([
  ['code128', 'https://example.com/'],
  ['ean13', '4006381333931'],
  ['ean8', '96385074'],
  ['upca', '036000291452'],
  ['itf14', '12345678901231'],
  ['code39', 'ABC-123'],
] as const)('a plain %s fails only when it is turned far, and in deep shadow', async (symbology, value) => {
  const { grade } = await proveBarcode(value, await drawBarcode({ text: value, symbology }), codeReader)
  expect(grade).toMatchObject({ letter: 'B', reasons: ['turned', 'in poor light'] })
})

test('a very long barcode is graded in the time of a thread', async () => {
  const value = 'x'.repeat(300)
  const picture = await drawBarcode({ text: value, size: 300 })
  expect((await proveBarcode(value, picture, codeReader)).grade.letter).toMatch(/[C-F]/)
})
