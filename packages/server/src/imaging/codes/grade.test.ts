import { drawQr, type QrOptions } from '@waymark/codes'
import { drawBarcode } from '@waymark/codes/barcodes'
import { expect, test } from 'vitest'
import { codeReader } from './read-code.ts'
import { letterOf } from './grade.ts'
import { proveBarcode, proveQr } from './proof.ts'
import { toGrey } from './raster.ts'

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

const legibilityOf = async (options: QrOptions) => {
  const { letter, reasons } = (await proveQr(options, codeReader)).grade
  return { letter, reasons }
}

test('the same picture always gets the same grade', async () => {
  const grey = await toGrey(drawQr({ text, pattern: 'dots' }))
  const grade = await codeReader.grade(grey, text, 'qr')
  expect(grade.letter).toBe('A')
  expect(await codeReader.grade(grey, text, 'qr')).toEqual(grade)
})

test('a picture with another text gets an F', async () => {
  const grey = await toGrey(drawQr({ text }))
  expect((await codeReader.grade(grey, `${text}0`, 'qr')).letter).toBe('F')
})

test('the frame does not affect the grade', async () => {
  for (const frame of ['Scan me', 'OOOOOOOOOOOOOOOO'])
    expect(await legibilityOf({ text, frame })).toEqual({ letter: 'A', reasons: [] })
})

test('plain codes of all short texts get an A, and those of one version, level and mask one grading', async () => {
  let graded = 0
  const counting = {
    ...codeReader,
    grade: (...given: Parameters<typeof codeReader.grade>) => (graded++, codeReader.grade(...given)),
  }
  const kinds = new Set<string>()
  for (let table = 0; table < 60; table++) {
    const options = { text: `https://example.com/${'menu/'.repeat(table % 7)}${table}`, color: '#123456' }
    const { qr } = drawQr(options)
    kinds.add(`${qr.version} ${qr.level} ${qr.mask}`)
    expect((await proveQr(options, counting)).grade).toMatchObject({ letter: 'A', reasons: [] })
  }
  expect(graded).toBe(kinds.size)
  expect(graded).toBeLessThan(60)
})

test('plain codes of other colours and sizes are graded apart', async () => {
  expect((await legibilityOf({ text, color: '#c0c0c0' })).letter).not.toBe('A')
  expect((await legibilityOf({ text, size: 60 })).letter).not.toBe('A')
  expect((await legibilityOf({ text })).letter).toBe('A')
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
