import { drawBarcode } from '@waymark/codes/barcodes'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { codeReader } from './read-code.ts'
import { openCodeImages } from './code-images.ts'
import { logoAddress } from './logo.ts'
import { proveBarcode, proveQr, UNREADABLE } from './proof.ts'

const text = 'https://example.com/menu?table=7'
const pictures = openCodeImages()
afterAll(() => pictures.close())

const blackLogo = sharp({ create: { width: 90, height: 90, channels: 3, background: '#000' } })
  .png()
  .toBuffer()

describe('accepts', () => {
  test('a QR code, its logo, and each kind of barcode', async () => {
    expect(await pictures.proveQr({ text })).toMatchObject({ warnings: [], drawing: {} })
    const logo = await blackLogo
    expect(await pictures.proveQr({ text, logo })).toMatchObject({
      warnings: [],
      drawing: { logoShare: 0.07 },
    })
    for (const symbology of ['code128', 'datamatrix', 'pdf417', 'aztec'] as const) {
      expect((await pictures.proveBarcode({ text, symbology })).warnings).toEqual([])
    }
  })

  test('control characters, as scanners send them', async () => {
    const control = 'a\u0007\u001db'
    for (const symbology of ['code128', 'datamatrix', 'pdf417', 'aztec'] as const)
      expect((await pictures.proveBarcode({ text: control, symbology })).warnings).toEqual([])
    expect((await pictures.proveQr({ text: control })).warnings).toEqual([])
  })

  test('a caption wider than the bars, which stay as wide in print', async () => {
    const ean8 = { text: '96385074', symbology: 'ean8' } as const
    const bare = await pictures.proveBarcode(ean8)
    const wide = await pictures.proveBarcode({ ...ean8, caption: 'wider than these bars, by far and away' })
    expect(wide.grade.min_width_mm).toBe(bare.grade.min_width_mm)
  })

  test('the proven PNG is the one that is rendered later', async () => {
    const logo = await blackLogo
    const { drawing } = await pictures.proveQr({ text, logo, pattern: 'dots' })
    const { png } = await proveQr({ text, logo: await logoAddress(logo), pattern: 'dots' }, codeReader)
    const { bytes, contentType } = await pictures.render(
      { kind: 'qr', input: { text, logo, pattern: 'dots' }, drawing },
      'png',
    )
    expect(contentType).toBe('image/png')
    expect(bytes.equals(png)).toBe(true)
  })
})

/** Reads a picture with the faults of a broken print head. */
function damaged(left: number, top: number, width: number, height: number) {
  return {
    ...codeReader,
    async read(png: Uint8Array, symbology: Parameters<typeof codeReader.read>[1]) {
      const stain = { create: { width, height, channels: 3 as const, background: '#fff' } }
      const stained = await sharp(png)
        .composite([{ input: stain, left, top }])
        .png()
        .toBuffer()
      return codeReader.read(stained, symbology)
    },
  }
}

describe('a damaged raster', () => {
  test('of a QR code is reported, in these words', async () => {
    const { warnings } = await proveQr({ text }, damaged(0, 0, 300, 150))
    expect(warnings).toEqual(['This picture could not be read back'])
  })

  test('is not reported if level M can correct it', async () => {
    expect((await proveQr({ text }, damaged(150, 150, 12, 12))).warnings).toEqual([])
  })

  test('of a barcode is reported', async () => {
    const picture = await drawBarcode({ text })
    const reader = damaged(Math.floor(picture.width / 2), 0, 60, picture.height)
    expect((await proveBarcode(text, picture, reader)).warnings).toEqual([UNREADABLE])
  })

  test('with another text is reported', async () => {
    const { warnings } = await proveQr({ text }, { ...codeReader, read: async () => `${text}0` })
    expect(warnings).toEqual([UNREADABLE])
  })
})

describe('colours that no camera can distinguish', () => {
  test('are reported, and the picture as unreadable', async () => {
    const { warnings } = await pictures.proveQr({ text, color: '#fefefe' })
    expect(warnings).toEqual([expect.stringContaining('#fefefe on #ffffff'), UNREADABLE])
  })

  test('are not blamed on the logo', async () => {
    const { warnings, drawing } = await pictures.proveQr({ text, color: '#fefefe', logo: await blackLogo })
    expect(warnings.at(-1)).toBe(UNREADABLE)
    expect(drawing).toEqual({ logoShare: 0.07 })
  })
})

test('a plain code with much text does not get the advice to choose plainer shapes', async () => {
  const { warnings } = await pictures.proveQr({ text: 'abc def '.repeat(75), size: 500 })
  expect(warnings).toEqual([expect.stringMatching(/: encode less, or choose a larger size$/)])
})

test('a logo that makes the code unreadable is drawn smaller until it reads', async () => {
  const logo = `data:image/png;base64,${(await blackLogo).toString('base64')}`
  // More than level H can correct.
  const { warnings, drawing, png } = await proveQr({ text, logo, logoShare: 0.4 }, codeReader)
  expect(drawing.logoShare).toBeLessThan(0.4)
  expect(warnings).toEqual(['The code could not be read with its logo, so the logo was drawn smaller'])
  expect(await codeReader.read(png, 'qr')).toBe(text)
})
