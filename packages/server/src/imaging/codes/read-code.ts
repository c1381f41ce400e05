import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isGs1, symbologies, type Symbology } from '@waymark/codes/symbology'
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'
import { imageLibrary } from '../image-library.ts'
import { type Grade, gradePicture, type Rgba } from './grade.ts'

const formatOf = (symbology: Symbology | 'qr') =>
  symbology === 'qr' ? ('QRCode' as const) : symbologies[symbology].decoder

/** GS1 data is compared in parentheses, other text as it is: otherwise `<BEL>` would stand for a control character. */
const textModeOf = (symbology: Symbology | 'qr') =>
  symbology !== 'qr' && isGs1(symbology) ? ('HRI' as const) : ('Plain' as const)

const optionsOf = (symbology: Symbology | 'qr', binarizer: (typeof BINARIZERS)[number]): ReaderOptions => ({
  formats: [formatOf(symbology)],
  maxNumberOfSymbols: 1,
  tryHarder: true,
  binarizer,
  textMode: textModeOf(symbology),
})

// Scanner apps try both: local thresholds first, then a global one, which copes with bright logos.
const BINARIZERS = ['LocalAverage', 'GlobalHistogram'] as const

let reader: Promise<unknown> | undefined

/** The decoder's module from the installed package: by default it would be loaded from the network. */
function prepareReader(): Promise<unknown> {
  const wasmBinary = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
  const binary = wasmBinary.buffer.slice(wasmBinary.byteOffset, wasmBinary.byteOffset + wasmBinary.byteLength)
  return prepareZXingModule({ overrides: { wasmBinary: binary }, fireImmediately: true })
}

/** The text in a PNG, or undefined if it contains no code of that kind. */
async function read(png: Uint8Array, symbology: Symbology | 'qr'): Promise<string | undefined> {
  await (reader ??= prepareReader())
  for (const picture of [() => png, () => enlarged(png)])
    for (const binarizer of BINARIZERS) {
      const results = await readBarcodes(await picture(), optionsOf(symbology, binarizer))
      const found = results.find((result) => result.isValid)
      // A UPC-A is reported as the EAN-13 that it also is.
      if (found !== undefined) return symbology === 'upca' ? found.text.slice(-12) : found.text
    }
  return undefined
}

/** The decoder may mistake letters of a caption for a corner if modules are not larger than them. */
async function enlarged(png: Uint8Array): Promise<Uint8Array> {
  const sharp = await imageLibrary()
  const { width } = await sharp(png).metadata()
  return sharp(png)
    .resize({ width: 2 * width, kernel: 'nearest' })
    .png()
    .toBuffer()
}

const MAX_GRADED_PX = 320

/** The grade of a picture, and the conditions in which it was not read. */
async function grade(
  png: Uint8Array,
  text: string,
  symbology: Symbology | 'qr',
): Promise<Pick<Grade, 'letter' | 'reasons'>> {
  await (reader ??= prepareReader())
  const sharp = await imageLibrary()
  const picture = sharp(png)
  // More pixels do not change the result of a QR code; the bars of a linear code need their pixels.
  if (symbology === 'qr') picture.resize({ width: MAX_GRADED_PX, withoutEnlargement: true })
  const { data, info } = await picture.removeAlpha().greyscale().raw().toBuffer({ resolveWithObject: true })
  const byZxing =
    (binarizer: (typeof BINARIZERS)[number]) =>
    async (picture: Rgba): Promise<boolean> => {
      const results = await readBarcodes(picture as ImageData, optionsOf(symbology, binarizer))
      const found = results.find(({ isValid }) => isValid)
      return (symbology === 'upca' ? found?.text.slice(-12) : found?.text) === text
    }
  const byOther = async (picture: Rgba): Promise<boolean> =>
    (await import('@waymark/codes/reader')).readQr(picture) === text
  return gradePicture({ width: info.width, height: info.height, data }, [
    byZxing('LocalAverage'),
    // No second decoder here reads barcodes, so the second one is the same with another binarizer.
    symbology === 'qr' ? byOther : byZxing('GlobalHistogram'),
  ])
}

/** Reads codes with the decoders at hand. Each call takes up to a second of processor time. */
export const codeReader = { read, grade }
export type CodeReader = typeof codeReader
