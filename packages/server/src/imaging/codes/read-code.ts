import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isGs1, symbologies, type Symbology } from '@waymark/codes/symbology'
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'
import { gradePicture, type Legibility } from './grade.ts'
import { doubled, type Grey, rgbaOf, type Rgba } from './grey.ts'

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

async function textIn(
  picture: Rgba,
  symbology: Symbology | 'qr',
  binarizer: (typeof BINARIZERS)[number],
): Promise<string | undefined> {
  const results = await readBarcodes(picture as ImageData, optionsOf(symbology, binarizer))
  const found = results.find(({ isValid }) => isValid)
  // A UPC-A is reported as the EAN-13 that it also is.
  return symbology === 'upca' ? found?.text.slice(-12) : found?.text
}

/** The text in a picture, or undefined if it contains no code of that kind. */
async function read(grey: Grey, symbology: Symbology | 'qr'): Promise<string | undefined> {
  await (reader ??= prepareReader())
  // The decoder may mistake letters of a caption for a corner if modules are not larger than them.
  for (const enlarge of [(picture: Grey) => picture, doubled]) {
    const picture = rgbaOf(enlarge(grey))
    for (const binarizer of BINARIZERS) {
      const text = await textIn(picture, symbology, binarizer)
      if (text !== undefined) return text
    }
  }
  return undefined
}

/** How well a picture is read, and the conditions in which it was not. */
async function grade(grey: Grey, text: string, symbology: Symbology | 'qr'): Promise<Legibility> {
  await (reader ??= prepareReader())
  const byZxing = (binarizer: (typeof BINARIZERS)[number]) => async (picture: Rgba) =>
    (await textIn(picture, symbology, binarizer)) === text
  const byOther = async (picture: Rgba) => (await import('@waymark/codes/reader')).readQr(picture) === text
  // No second decoder here reads barcodes, so the second one is the same with another binarizer.
  return gradePicture(grey, [
    byZxing('LocalAverage'),
    symbology === 'qr' ? byOther : byZxing('GlobalHistogram'),
  ])
}

/** Reads codes with the decoders at hand. */
export const codeReader = { read, grade }
export type CodeReader = typeof codeReader
