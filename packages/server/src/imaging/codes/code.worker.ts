import { CodeError } from '@waymark/codes'
import type { BarcodeOptions } from '@waymark/codes/barcodes'
import type { ProvenBarcode, ProvenQr } from './proof.ts'
import type { CodeDrawing, QrInput, RenderedCode } from './render-code.ts'

/** Invalid input. An error of our own class would lose its class on the way from the thread. */
export interface CodeFault {
  readonly fault: CodeError['fault']
  readonly message: string
}

export const draw = (code: CodeDrawing): Promise<RenderedCode | CodeFault> =>
  orFault(async () => (await import('./render-code.ts')).renderCode(code))

/** Proofs without their pictures, which are drawn again when they are requested. */
export type QrProof = Omit<ProvenQr, 'png'>
export type BarcodeProof = Omit<ProvenBarcode, 'png'>

export const proveQr = ({ logo, ...options }: QrInput): Promise<QrProof | CodeFault> =>
  orFault(async () => {
    const [{ proveQr }, { codeReader }, { logoAddress }] = await provers()
    const given = logo === undefined ? options : { ...options, logo: await logoAddress(logo) }
    const { drawing, warnings, grade } = await proveQr(given, codeReader)
    return { drawing, warnings, grade }
  })

export const proveBarcode = (input: BarcodeOptions): Promise<BarcodeProof | CodeFault> =>
  orFault(async () => {
    const [{ proveBarcode }, { codeReader }] = await provers()
    const { drawBarcode } = await import('@waymark/codes/barcodes')
    const { warnings, grade } = await proveBarcode(input.text, await drawBarcode(input), codeReader)
    return { warnings, grade }
  })

/** Encodes and lays out a barcode without drawing it. */
export const layOutBarcode = (input: BarcodeOptions): Promise<object | CodeFault> =>
  orFault(async () => {
    const { drawBarcode } = await import('@waymark/codes/barcodes')
    await drawBarcode(input)
    return {}
  })

/** Threads that only draw do not load the decoders. */
const provers = () => Promise.all([import('./proof.ts'), import('./read-code.ts'), import('./logo.ts')])

function orFault<Result>(work: () => Promise<Result>): Promise<Result | CodeFault> {
  return work().catch((error: unknown) => {
    if (!(error instanceof CodeError)) throw error
    return { fault: error.fault, message: error.message }
  })
}
