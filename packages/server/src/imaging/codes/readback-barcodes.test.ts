import { drawBarcode, encodedText } from '@waymark/codes/barcodes'
import type { Symbology } from '@waymark/codes/barcodes'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeReader } from './read-code.ts'
import { toPng } from './raster.ts'
import { addresses, readableColors } from './readback-cases.ts'

const digits = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: length, maxLength: length })
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })

/** The texts of each kind, the number of runs, and the maximum length. */
const cases: [Symbology, fc.Arbitrary<string>, number][] = [
  ['code128', addresses(250), 200],
  ['code128', fc.stringMatching(/^[\u0020-\u007e]{1,40}$/), 60],
  ['datamatrix', addresses(300), 60],
  ['datamatrix', anyText, 30],
  ['pdf417', addresses(300), 60],
  ['pdf417', anyText, 30],
  ['aztec', addresses(300), 60],
  ['aztec', anyText, 30],
  ['ean13', digits(12), 60],
  ['ean8', digits(7), 60],
  ['upca', digits(11), 60],
  ['itf14', digits(13), 60],
  ['code39', fc.stringMatching(/^[0-9A-Z.$/+%-]{1,30}$/), 60],
]

test.each(cases)('every %s is read back exactly', { timeout: 300_000 }, async (symbology, texts, numRuns) => {
  const caption = fc.option(fc.string({ unit: 'grapheme', maxLength: 50 }), { nil: undefined })
  const size = fc.integer({ min: 10, max: 300 })
  await fc.assert(
    fc.asyncProperty(texts, size, readableColors, caption, async (text, size, colors, caption) => {
      const { color, background } = colors
      const look = { symbology, size, color, background, ...(caption !== undefined && { caption }) }
      const picture = await drawBarcode({ text, ...look })
      expect(await codeReader.read(await toPng(picture), symbology)).toBe(encodedText(text, symbology))
    }),
    { numRuns, endOnFailure: true },
  )
})

test('a caption beside small modules is not mistaken for a part of the code', async () => {
  const text = 'https://li2.9e.ak/1sj=,yfBM+R&?6@oO~V;ZgyCy$tL61o5Sw$wi1):p6D2!sI64Vee'
  const look = { size: 22, color: '#d4344d', background: '#ffffff', caption: '\u14d0' }
  const picture = await drawBarcode({ text, symbology: 'datamatrix', ...look })
  expect(await codeReader.read(await toPng(picture), 'datamatrix')).toBe(text)
})
