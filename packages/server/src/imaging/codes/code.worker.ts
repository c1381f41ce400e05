import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CodeError } from '@waymark/codes'
import type { Bars } from '@waymark/codes/barcodes'
import { isGs1, symbologies, type Symbology } from '@waymark/codes/symbology'
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'
import { imageLibrary } from '../image-library.ts'
import type { Rgba } from './grade.ts'
import type { CodeDrawing, RenderedCode } from './render-code.ts'

/** Invalid input. An error of our own class would lose its class on the way from the thread. */
export interface CodeFault {
  readonly fault: CodeError['fault']
  readonly message: string
}

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

export async function read([png, symbology]: [Uint8Array, Symbology | 'qr']): Promise<string | undefined> {
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
export async function grade([png, text, symbology]: [Uint8Array, string, Symbology | 'qr']) {
  await (reader ??= prepareReader())
  const [{ gradePicture }, sharp] = await Promise.all([import('./grade.ts'), imageLibrary()])
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

export const draw = (code: CodeDrawing): Promise<RenderedCode | CodeFault> =>
  orFault(async () => (await import('./render-code.ts')).renderCode(code))

export const encode = ([text, symbology]: [string, Symbology]): Promise<Bars | CodeFault> =>
  orFault(async () => (await import('@waymark/codes/barcodes')).encodeBars(text, symbology))

function orFault<Result>(work: () => Promise<Result>): Promise<Result | CodeFault> {
  return work().catch((error: unknown) => {
    if (!(error instanceof CodeError)) throw error
    return { fault: error.fault, message: error.message }
  })
}
