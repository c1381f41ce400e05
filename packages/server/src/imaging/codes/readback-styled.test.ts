import { drawQr } from '@waymark/codes'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCodeWorkers } from './code-workers.ts'
import { logoAddress } from './logo.ts'
import { proveQr } from './proof.ts'
import { toPng } from './raster.ts'
import { addresses, qrSizes, readableColors } from './readback-cases.ts'

const workers = openCodeWorkers()
afterAll(() => workers.close())

let logos: string[] = []
beforeAll(async () => {
  const plain = (background: string, width = 200, height = 200) =>
    sharp({ create: { width, height, channels: 4, background } })
      .png()
      .toBuffer()
  const noise = { type: 'gaussian', mean: 128, sigma: 80 } as const
  const noisy = sharp({ create: { width: 200, height: 200, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer()
  // Black is the worst: all that it covers reads as dark modules.
  const images = [
    plain('#000000'),
    plain('#ff000080', 300, 100),
    plain('#ffffff', 1, 1),
    plain('#00000000'),
    noisy,
  ]
  logos = await Promise.all(images.map(async (image) => logoAddress(await image)))
})

test('every QR code with eyes of their own colour is read back exactly', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(addresses(2048), qrSizes, readableColors, async (text, size, colors) => {
      const png = await toPng(drawQr({ text, size, ...colors }))
      expect(await workers.read(png, 'qr')).toBe(text)
    }),
    { numRuns: 300, endOnFailure: true },
  )
})

test('every QR code of dots is read back exactly', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(addresses(2048), qrSizes, readableColors, async (text, size, colors) => {
      const png = await toPng(drawQr({ text, size, ...colors, pattern: 'dots' }))
      expect(await workers.read(png, 'qr')).toBe(text)
    }),
    { numRuns: 500, endOnFailure: true },
  )
})

test('every QR code with a logo is read back exactly', { timeout: 120_000 }, async () => {
  const pattern = fc.constantFrom('dots', 'squares')
  await fc.assert(
    fc.asyncProperty(
      addresses(1273),
      qrSizes,
      readableColors,
      pattern,
      fc.nat({ max: 4 }),
      async (text, size, colors, pattern, which) => {
        // As users get it: a logo that is in the way has been drawn smaller.
        const { png } = await proveQr({ text, size, ...colors, pattern, logo: logos[which]! }, workers)
        expect(await workers.read(png, 'qr')).toBe(text)
      },
    ),
    { numRuns: 600, endOnFailure: true },
  )
})
