import type { QrOptions } from '@waymark/codes'
import { drawFramedQr } from '@waymark/codes/captions'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { needScanners } from '../../../../../scripts/services/scanners.ts'
import { codeReader } from './read-code.ts'
import { DEGRADATIONS } from './degrade.ts'
import { logoAddress } from './logo.ts'
import { proveQr } from './proof.ts'
import { toPng } from './raster.ts'
import { addresses, qrLooks, qrSizes, readableColors } from './readback-cases.ts'

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
  // Black is the worst case: everything that it covers reads as dark modules.
  const images = [
    plain('#000000'),
    plain('#ff000080', 300, 100),
    plain('#ffffff', 1, 1),
    plain('#00000000'),
    noisy,
  ]
  logos = await Promise.all(images.map(async (image) => logoAddress(await image)))
})

test(
  'every QR code in every shape, with or without a frame, is read back exactly',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        addresses(2048),
        qrSizes,
        readableColors,
        qrLooks,
        async (text, size, colors, look) => {
          const png = await toPng(drawFramedQr({ text, size, ...colors, ...look }))
          expect(await codeReader.read(png, 'qr')).toBe(text)
        },
      ),
      { numRuns: 100, endOnFailure: true },
    )
  },
)

test('the same with a logo', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      addresses(1273),
      qrSizes,
      readableColors,
      qrLooks,
      fc.nat({ max: 4 }),
      async (text, size, colors, look, which) => {
        // As users get it: a logo that covers too much has been shrunk.
        const { png } = await proveQr({ text, size, ...colors, ...look, logo: logos[which]! }, codeReader)
        expect(await codeReader.read(png, 'qr')).toBe(text)
      },
    ),
    { numRuns: 40, endOnFailure: true },
  )
})

/** Ten of the styles that bench/scan-styles.ts draws, and the logo of each. */
const styles: [Partial<QrOptions>, logo?: number][] = [
  [{}],
  [{ pattern: 'dots', color: '#1d4ed8' }],
  [{ style: 'rounded', eyeStyle: 'rounded', color: '#7a1f3d', background: '#fff4e6' }],
  [{ style: 'classy', eyeStyle: 'circle', frame: 'Scan me' }],
  [{ style: 'diamond', eyeStyle: 'circle', color: '#214d2e', size: 260 }],
  [{ style: 'bars', eyeStyle: 'circle', size: 294 }],
  [{ text: `https://example.com/${'menu/'.repeat(6)}`, eyeStyle: 'circle' }, 4],
  [{ text: `https://example.com/${'menu/'.repeat(7)}`, style: 'bars', size: 340 }, 0],
  [{ style: 'rounded', eyeStyle: 'rounded', color: '#333366', size: 280 }, 1],
  [{ style: 'diamond', pattern: 'dots', frame: 'Scan me', size: 330 }, 4],
]

const photographs: Record<string, (png: Buffer) => Promise<Buffer>> = {
  plain: async (png) => png,
  blurred: (png) => sharp(png).blur(2).png().toBuffer(),
  turned: (png) => sharp(png).toColourspace('srgb').rotate(17, { background: '#ffffff' }).png().toBuffer(),
  // The same noise in every run, with a standard deviation of 15 levels of grey.
  noisy: async (png) => {
    const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true })
    const { width, height } = info
    const grain = await DEGRADATIONS.findLast(({ condition }) => condition === 'noisy')?.degrade({
      width,
      height,
      data,
    })
    return sharp(grain?.data, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer()
  },
}

test.each(styles)(
  'ZXing and ZBar read %j, which has no warning, also blurred, turned and noisy',
  async (style, logo) => {
    const { zxing, zbar } = await needScanners()
    const options = { text: 'https://example.com/menu?table=7', ...style }
    const proven = await proveQr(
      logo === undefined ? options : { ...options, logo: logos[logo]! },
      codeReader,
    )
    expect(proven.warnings).toEqual([])
    for (const [name, photograph] of Object.entries(photographs)) {
      const png = await photograph(proven.png)
      expect([name, await zxing(png), await zbar(png)]).toEqual([name, options.text, options.text])
    }
  },
)

/** A scanner that is out of focus spreads each point over two thirds of a module: a standard deviation of one third. */
test.each(['square', 'rounded', 'circle'] as const)(
  'ZXing and ZBar read %s eyes that are blurred by two thirds of a module',
  async (eyeStyle) => {
    const { zxing, zbar } = await needScanners()
    for (const size of [240, 300, 340, 380, 420, 460, 500])
      for (const text of ['https://example.com/menu', 'https://example.com/menu?table=7&day=monday']) {
        const picture = drawFramedQr({ text, size, eyeStyle })
        const png = await sharp(await toPng(picture))
          .blur({ sigma: picture.qr.modulePx / 3, minAmplitude: 0.01 })
          .png()
          .toBuffer()
        expect([size, await zxing(png), await zbar(png)]).toEqual([size, text, text])
      }
  },
)

test.each(['square', 'rounded', 'circle'] as const)(
  'ZBar reads %s eyes that are turned',
  async (eyeStyle) => {
    const { zbar } = await needScanners()
    for (const [size, degrees] of [
      [220, 9],
      [300, 13],
      [400, 17],
      [460, 22],
      [330, 35],
      [280, 44],
    ] as const) {
      const turned = sharp(await toPng(drawFramedQr({ text: 'https://example.com/menu', size, eyeStyle })))
        .extend({ top: 24, bottom: 24, left: 24, right: 24, background: '#e8e8e8' })
        .rotate(degrees, { background: '#e8e8e8' })
      expect([degrees, await zbar(await turned.png().toBuffer())]).toEqual([
        degrees,
        'https://example.com/menu',
      ])
    }
  },
)
