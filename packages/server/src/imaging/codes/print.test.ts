import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BarcodeOptions, Symbology } from '@waymark/codes/barcodes'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needProgram } from '../../../../../scripts/services/programs.ts'
import { needScanners, type Scanners } from '../../../../../scripts/services/scanners.ts'
import { type Print, renderCode, type StoredCode } from './render-code.ts'

const text = 'https://example.com/menu?table=7'
const DPI = 300
const MM_PER_PX = 25.4 / DPI
let scanners: Scanners
let folder: string
beforeAll(async () => {
  scanners = await needScanners()
  folder = await mkdtemp(join(tmpdir(), 'waymark-print-'))
})
afterAll(() => rm(folder, { recursive: true }))

const qr = (options: object = {}): StoredCode => ({ kind: 'qr', input: { text, ...options }, drawing: {} })
const barcode = (input: BarcodeOptions): StoredCode => ({ kind: 'barcode', input })
const print = async (code: StoredCode, format: Print['format'], widthMm: number, dpi = DPI) =>
  (await renderCode({ ...code, print: { format, widthMm, dpi } })).bytes

/** Rasterises a file as a printer would. */
async function rasterOf(pdf: Buffer): Promise<Buffer> {
  const program = await needProgram(['pdftoppm'], 'poppler-utils')
  const file = join(folder, 'code')
  await writeFile(`${file}.pdf`, pdf)
  await promisify(execFile)(program, ['-r', String(DPI), '-png', '-singlefile', `${file}.pdf`, file])
  return sharp(`${file}.png`).toBuffer()
}

/** The first and last dark column of a row, in pixels including their anti-aliased share. */
async function inkWidth(png: Buffer, rowShare: number): Promise<number> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true })
  const row = data.subarray(Math.round(info.height * rowShare) * info.width).subarray(0, info.width)
  const first = row.findIndex((level) => level < 128)
  return row.findLastIndex((level) => level < 128) - first + 1
}

describe('a printed width is exact to 0.1 mm', () => {
  test.each([8, 25.4, 100])('of a QR code %d mm wide', async (widthMm) => {
    const modules = 33
    const ink = (widthMm * modules) / (modules + 8)
    const png = await rasterOf(await print(qr(), 'pdf', widthMm))
    expect(Math.abs(((await sharp(png).metadata()).width ?? 0) * MM_PER_PX - widthMm)).toBeLessThan(0.1)
    // Through the two upper eyes, whose outer edges are those of the code.
    expect(Math.abs((await inkWidth(png, 6 / 41)) * MM_PER_PX - ink)).toBeLessThan(0.1)
    const own = await print(qr(), 'png', widthMm)
    expect(await sharp(own).metadata()).toMatchObject({
      width: Math.round(widthMm / MM_PER_PX),
      density: DPI,
    })
    expect(Math.abs((await inkWidth(own, 6 / 41)) * MM_PER_PX - ink)).toBeLessThan(0.1)
    expect((await print(qr(), 'svg', widthMm)).toString()).toContain(
      `width="${widthMm}mm" height="${widthMm}mm"`,
    )
  })

  test('without a frame and a caption that is wider than the bars', async () => {
    const framed = await rasterOf(await print(qr({ frame: 'Scan me', margin: 2 }), 'pdf', 40))
    // The frame is 3 % of the width on each side.
    const { width } = await sharp(framed).metadata()
    expect(Math.abs(width * MM_PER_PX - 40 / 0.94)).toBeLessThan(0.1)
    const ean = {
      text: '96385074',
      symbology: 'ean8',
      caption: 'A caption of fifty letters is wider than these bars',
      captionSize: 60,
    } as const
    const wide = await rasterOf(await print(barcode(ean), 'pdf', 30))
    expect(((await sharp(wide).metadata()).width ?? 0) * MM_PER_PX).toBeGreaterThan(35)
    // EAN-8 has 67 modules, and 9 of quiet zone on each side.
    expect(Math.abs((await inkWidth(wide, 0.3)) * MM_PER_PX - (30 * 67) / 85)).toBeLessThan(0.1)
  })
})

/** Symbologies that ZBar cannot decode. */
const ZXING_ONLY: readonly Symbology[] = ['datamatrix', 'gs1-datamatrix', 'aztec', 'pdf417']

test.each<[string, StoredCode, string, number]>([
  ['QR code', qr(), text, 20],
  ['framed QR code', qr({ frame: 'Scan me', pattern: 'dots', eyeStyle: 'rounded' }), text, 20],
  ['code128', barcode({ text: 'WM-2048' }), 'WM-2048', 50],
  ['ean13', barcode({ text: '4006381333931', symbology: 'ean13' }), '4006381333931', 37],
  ['ean8', barcode({ text: '96385074', symbology: 'ean8' }), '96385074', 30],
  ['upca', barcode({ text: '036000291452', symbology: 'upca' }), '036000291452', 37],
  ['itf14', barcode({ text: '15400141288763', symbology: 'itf14' }), '15400141288763', 60],
  ['code39', barcode({ text: 'WM-2048', symbology: 'code39' }), 'WM-2048', 60],
  ['gs1-128', barcode({ text: '(01)09506000134352(10)AB12', symbology: 'gs1-128' }), '01095060001343521', 70],
  [
    'gs1-datamatrix',
    barcode({ text: '(01)09506000134352(10)AB12', symbology: 'gs1-datamatrix' }),
    '0109506000134352',
    15,
  ],
  ['datamatrix', barcode({ text, symbology: 'datamatrix' }), text, 15],
  ['aztec', barcode({ text, symbology: 'aztec' }), text, 15],
  ['pdf417', barcode({ text, symbology: 'pdf417' }), text, 60],
])('a printed %s is read', async (name, code, says, widthMm) => {
  const readers = ZXING_ONLY.includes(name as Symbology) ? [scanners.zxing] : [scanners.zxing, scanners.zbar]
  for (const png of [await rasterOf(await print(code, 'pdf', widthMm)), await print(code, 'png', widthMm)])
    for (const read of readers) expect(await read(png)).toContain(says)
})

test('pure black uses only black ink in a PDF, and other colours are unchanged', async () => {
  const uncompressed = async (code: StoredCode): Promise<string> => {
    const { inflateSync } = await import('node:zlib')
    const pdf = await print(code, 'pdf', 20)
    const from = pdf.indexOf('stream\n') + 'stream\n'.length
    return inflateSync(pdf.subarray(from)).toString('latin1')
  }
  const black = await uncompressed(qr())
  expect(black).toContain('/DeviceCMYK cs\n0 0 0 1 scn')
  expect(black).not.toContain('/DeviceRGB')
  expect(await uncompressed(qr({ color: '#003366' }))).toContain('/DeviceRGB cs')
})

test('a picture over 16 megapixels is rejected with advice', async () => {
  await expect(print(qr(), 'png', 1000, 1200)).rejects.toThrow('choose fewer dpi, svg or pdf')
  expect(await sharp(await print(qr(), 'png', 8, 1200)).metadata()).toMatchObject({ width: 378 })
})
