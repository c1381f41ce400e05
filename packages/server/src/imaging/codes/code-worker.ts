import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import type { Bars, Symbology } from '@waymark/codes/barcodes'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { BACKGROUND_STEP, lowerPriority } from '../../runtime/thread-priority.ts'
import { boundHeapGrowth } from '../../runtime/v8/heap-growth.ts'
import type { CodeDrawing } from './render-code.ts'

/** What a worker is asked: to read a PNG, to encode a code that takes long, or to draw one. */
export type CodeTask =
  | { kind: 'read'; png: Uint8Array; symbology: Symbology | 'qr' }
  | { kind: 'encode'; text: string; symbology: Symbology }
  | { kind: 'draw'; code: CodeDrawing }

/** What it returns: the text read, or nothing; the modules; a picture; or why it could not. */
export type CodeReply =
  | { kind: 'text'; text: string | undefined }
  | { kind: 'bars'; bars: Bars }
  | { kind: 'picture'; bytes: Uint8Array; contentType: string }
  | { kind: 'fault'; fault: 'too_long' | 'unencodable' | 'bad_option' | 'crash'; message: string }

/** A thread may have several tasks, so each has a number, and its reply the same. */
export interface NumberedTask {
  readonly id: number
  readonly task: CodeTask
}

export interface NumberedReply {
  readonly id: number
  readonly reply: CodeReply
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

async function perform(task: CodeTask): Promise<CodeReply> {
  if (task.kind === 'read') return { kind: 'text', text: await read(task.png, task.symbology) }
  if (task.kind === 'draw') {
    const { renderCode } = await import('./render-code.ts')
    return { kind: 'picture', ...(await renderCode(task.code)) }
  }
  const { encodeBars } = await import('@waymark/codes/barcodes')
  return { kind: 'bars', bars: await encodeBars(task.text, task.symbology) }
}

async function answer({ id, task }: NumberedTask): Promise<void> {
  const { CodeError } = await import('@waymark/codes')
  const reply = await perform(task).catch((error: unknown): CodeReply => {
    const fault = error instanceof CodeError ? error.fault : 'crash'
    return { kind: 'fault', fault, message: error instanceof Error ? error.message : String(error) }
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ id, reply } satisfies NumberedReply)
  boundHeapGrowth()
}

lowerPriority(BACKGROUND_STEP)

parentPort?.on('message', (task: NumberedTask) => void answer(task))
