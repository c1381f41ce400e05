import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CodeError } from '@waymark/codes'
import type { Bars, Symbology } from '@waymark/codes/barcodes'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { BACKGROUND_STEP, lowerPriority } from '../../work/thread-priority.ts'
import { offerWork } from '../../work/thread-work.ts'
import { boundHeapGrowth } from '../../work/v8/heap-growth.ts'
import type { CodeDrawing, RenderedCode } from './render-code.ts'

/** What the caller asked wrong: an error of a class of its own would arrive as any other. */
export interface CodeFault {
  readonly fault: CodeError['fault']
  readonly message: string
}

const FORMATS = {
  qr: 'QRCode',
  code128: 'Code128',
  datamatrix: 'DataMatrix',
  pdf417: 'PDF417',
  aztec: 'Aztec',
  ean13: 'EAN13',
  ean8: 'EAN8',
  upca: 'UPCA',
  itf14: 'ITF',
  // Not the extended one, in which pairs such as +A stand for small letters.
  code39: 'Code39Std',
} as const

// Scanner apps try both: by neighbourhood first, then by the whole picture, which copes with bright logos.
const BINARIZERS = ['LocalAverage', 'GlobalHistogram'] as const

let reader: Promise<unknown> | undefined

/** The decoder's module, taken from the installed package: its default is to fetch it from the network. */
function prepareReader(): Promise<unknown> {
  const wasmBinary = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
  const binary = wasmBinary.buffer.slice(wasmBinary.byteOffset, wasmBinary.byteOffset + wasmBinary.byteLength)
  return prepareZXingModule({ overrides: { wasmBinary: binary }, fireImmediately: true })
}

async function read(png: Uint8Array, symbology: Symbology | 'qr'): Promise<string | undefined> {
  await (reader ??= prepareReader())
  for (const binarizer of BINARIZERS) {
    const options = { formats: [FORMATS[symbology]], maxNumberOfSymbols: 1, tryHarder: true, binarizer }
    const found = (await readBarcodes(png, options)).find((result) => result.isValid)
    // A UPC-A is reported as the EAN-13 that it also is.
    if (found !== undefined) return symbology === 'upca' ? found.text.slice(-12) : found.text
  }
  return undefined
}

async function draw(code: CodeDrawing): Promise<RenderedCode> {
  const { renderCode } = await import('./render-code.ts')
  return renderCode(code)
}

async function encode(text: string, symbology: Symbology): Promise<Bars> {
  const { encodeBars } = await import('@waymark/codes/barcodes')
  return encodeBars(text, symbology)
}

const orFault =
  <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
  (...given: Given): Promise<Result | CodeFault> =>
    work(...given).catch((error: unknown) => {
      if (!(error instanceof CodeError)) throw error
      return { fault: error.fault, message: error.message }
    })

export const codeWork = { read, draw: orFault(draw), encode: orFault(encode) }

lowerPriority(BACKGROUND_STEP)

offerWork(codeWork, boundHeapGrowth)
