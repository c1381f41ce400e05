import { drawBarcode } from '@waymark/codes/barcodes'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openCodeWorkers } from './code-workers.ts'
import { toPng } from './raster.ts'
import { addresses, readableColors } from './readback-cases.ts'

const workers = openCodeWorkers()
afterAll(() => workers.close())

test.each([
  ['code128', 250, 200],
  ['datamatrix', 300, 60],
  ['pdf417', 300, 60],
  ['aztec', 300, 60],
] as const)('every %s is read back exactly', { timeout: 120_000 }, async (symbology, longest, numRuns) => {
  const caption = fc.option(fc.string({ unit: 'grapheme', maxLength: 50 }), { nil: undefined })
  const size = fc.integer({ min: 10, max: 300 })
  await fc.assert(
    fc.asyncProperty(
      addresses(longest),
      size,
      readableColors,
      caption,
      async (text, size, colors, caption) => {
        const { color, background } = colors
        const picture = drawBarcode({
          text,
          symbology,
          size,
          color,
          background,
          ...(caption !== undefined && { caption }),
        })
        expect(await workers.read(await toPng(picture), symbology)).toBe(text)
      },
    ),
    { numRuns, endOnFailure: true },
  )
})
