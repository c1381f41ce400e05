import { drawQr } from '@waymark/codes'
import * as fc from 'fast-check'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { codeReader } from './read-code.ts'
import { toPng } from './raster.ts'
import { addresses, qrSizes, readableColors } from './readback-cases.ts'

/** An independent decoder: sharp decodes the PNG, jsQR reads it. */
async function readOtherwise(png: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const read = jsQR.default(new Uint8ClampedArray(data), info.width, info.height, {
    inversionAttempts: 'dontInvert',
  })
  return read?.data
}

test('every plain QR code is read back exactly, by two decoders', async () => {
  await fc.assert(
    fc.asyncProperty(addresses(2048), qrSizes, readableColors, async (text, size, { color, background }) => {
      const png = await toPng(drawQr({ text, size, color, background }))
      expect(await codeReader.read(png, 'qr')).toBe(text)
      expect(await readOtherwise(png)).toBe(text)
    }),
    { numRuns: 200, endOnFailure: true },
  )
})
