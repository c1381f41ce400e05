import { drawQr, isPlain, toSvg } from '@waymark/codes'
import type { Picture } from '@waymark/codes'
import { drawBarcode } from '@waymark/codes/barcodes'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { logoAddress } from './logo.ts'
import { toPdf } from '../pdf.ts'
import { plainPngSync } from './plain-png.ts'
import { toPng, toWebp } from './raster.ts'

const text = 'https://example.com/menu?table=7'
const colors = { color: '#003366', eyeColor: '#aa0000', background: '#ffeecc' }

const pixels = (image: Buffer) => sharp(image).removeAlpha().toColourspace('srgb').raw().toBuffer()

describe('our own PNG equals the SVG, pixel by pixel', async () => {
  test.each<[string, Picture]>([
    ['two colours', drawQr({ text, size: 211 })],
    ['three colours', drawQr({ text, size: 300, ...colors })],
    ['no margin', drawQr({ text, size: 200, margin: 0 })],
    ['bars', await drawBarcode({ text, size: 37, color: '#123456' })],
    ['stacked bars', await drawBarcode({ text, symbology: 'pdf417' })],
    ['squares', await drawBarcode({ text, symbology: 'datamatrix' })],
  ])('%s', async (_, picture) => {
    expect(isPlain(picture)).toBe(true)
    for (const scale of [1, 3]) {
      const own = await pixels(await toPng(picture, scale))
      expect(own.equals(await pixels(Buffer.from(toSvg(picture, scale))))).toBe(true)
    }
  })

  test('synchronously and in the background', async () => {
    const picture = await drawBarcode({ text: 'a'.repeat(300), size: 300 })
    // Over 256 KiB of lines at scale 3, so that it really runs in the background.
    expect((await toPng(picture, 3)).equals(plainPngSync(picture, 3))).toBe(true)
  })
})

describe('sizes', async () => {
  const styled = drawQr({ text, size: 251, pattern: 'dots' })
  const captioned = await drawBarcode({ text, caption: 'Menu' })

  test.each([1, 2, 8])('PNG and WebP at scale %i', async (scale) => {
    for (const picture of [drawQr({ text, size: 251 }), styled, captioned]) {
      const size = { width: picture.width * scale, height: picture.height * scale }
      expect(await sharp(await toPng(picture, scale)).metadata()).toMatchObject({ format: 'png', ...size })
      expect(await sharp(await toWebp(picture, scale)).metadata()).toMatchObject({ format: 'webp', ...size })
    }
  })

  test.each([
    ['styled', await drawBarcode({ text: 'a'.repeat(300), caption: 'x', size: 300 })],
    ['plain', await drawBarcode({ text: 'a'.repeat(300), size: 300 })],
  ])('a %s picture over 16 megapixels is rejected, not drawn', async (_, wide) => {
    expect(await toPng(wide, 3)).toBeInstanceOf(Buffer)
    await expect(toPng(wide, 8)).rejects.toThrow('too large at scale 8')
    await expect(toWebp(wide, 8)).rejects.toThrow('too large at scale 8')
  })
})

describe('PDF', () => {
  test('is a vector page of the same size, and the same bytes each time', async () => {
    const logo = await logoAddress(
      await sharp({ create: { width: 9, height: 5, channels: 4, background: '#f008' } })
        .png()
        .toBuffer(),
    )
    for (const picture of [
      drawQr({ text, pattern: 'dots', logo }),
      await drawBarcode({ text, caption: 'Menü' }),
    ]) {
      const pdf = await toPdf(picture)
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
      expect(pdf.toString('latin1')).toContain(
        `/MediaBox [0 0 ${picture.width * 0.75} ${picture.height * 0.75}]`,
      )
      expect(pdf.equals(await toPdf(picture))).toBe(true)
    }
  })
})

describe('logo', () => {
  const image = (channels: 3 | 4) =>
    sharp({ create: { width: 900, height: 300, channels, background: '#c00' } })

  test('is bounded and keeps its shape', async () => {
    const address = await logoAddress(await image(3).jpeg().toBuffer())
    expect(address).toMatch(/^data:image\/jpeg;base64,/)
    const bytes = Buffer.from(address.slice(address.indexOf(',')), 'base64')
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 384, height: 128 })
  })

  test('keeps transparency, and converts CMYK to RGB', async () => {
    expect(await logoAddress(await image(4).png().toBuffer())).toMatch(/^data:image\/png;/)
    const cmyk = await logoAddress(await image(3).toColourspace('cmyk').jpeg().toBuffer())
    expect((await sharp(Buffer.from(cmyk.slice(cmyk.indexOf(',')), 'base64')).metadata()).space).toBe('srgb')
  })

  test('that is not an image is rejected', async () => {
    await expect(logoAddress(Buffer.from('<html></html>'))).rejects.toThrow()
  })
})
