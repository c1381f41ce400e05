import { toSvg } from '@waymark/codes'
import { drawFramedQr } from '@waymark/codes/captions'
import type { Picture, QrOptions } from '@waymark/codes'
import type { BarcodeOptions } from '@waymark/codes/barcodes'
import { toPdf } from '../pdf.ts'
import { logoAddress } from './logo.ts'
import { MM_PER_INCH } from './picture-size.ts'
import { toPng, toPrintPng, toWebp } from './raster.ts'

/** Results of the proof that later drawings must use; stored with the code as JSON. */
export interface QrDrawing {
  logoShare?: number
}

/** A QR code with its logo as the bytes of an image file. */
export type QrInput = Omit<QrOptions, 'logo' | 'logoShare'> & { logo?: Uint8Array }

export type CodeFormat = 'svg' | 'png' | 'webp' | 'pdf'

/** A code as it is stored. */
export type StoredCode =
  | { kind: 'qr'; input: QrInput; drawing: QrDrawing }
  | { kind: 'barcode'; input: BarcodeOptions }

/** How a code is printed. */
export interface Print {
  readonly format: 'svg' | 'png' | 'pdf'
  /** Width of the code with its quiet zone, without frame and caption. */
  readonly widthMm: number
  /** Only for PNG. */
  readonly dpi: number
}

export interface RenderedCode {
  bytes: Buffer
  contentType: string
}

/** A code to draw, as it is passed to the drawing thread. */
export type CodeDrawing = StoredCode & ({ format: CodeFormat; scale: number } | { print: Print })

const RENDERERS: Record<
  CodeFormat,
  { contentType: string; draw: (picture: Picture, scale: number) => Promise<Buffer> }
> = {
  svg: { contentType: 'image/svg+xml', draw: async (picture) => Buffer.from(toSvg(picture)) },
  png: { contentType: 'image/png', draw: toPng },
  webp: { contentType: 'image/webp', draw: toWebp },
  pdf: { contentType: 'application/pdf', draw: (picture) => toPdf(picture) },
}

const POINTS_PER_INCH = 72

const PRINTERS: Record<
  Print['format'],
  (picture: Picture, mmPerPx: number, dpi: number) => Promise<Buffer> | Buffer
> = {
  svg: (picture, mmPerPx) => Buffer.from(toSvg(picture, mmPerPx, 'mm')),
  png: (picture, mmPerPx, dpi) => toPrintPng(picture, (mmPerPx * dpi) / MM_PER_INCH, dpi),
  pdf: (picture, mmPerPx) => toPdf(picture, (mmPerPx * POINTS_PER_INCH) / MM_PER_INCH),
}

/** Draws a code, in a thread because a large one takes tens of milliseconds before the first pixel. */
export async function renderCode(code: CodeDrawing): Promise<RenderedCode> {
  if ('print' in code) {
    const { format, widthMm, dpi } = code.print
    const picture = await pictureOf(code, true)
    const bytes = await PRINTERS[format](picture, widthMm / picture.codeWidth, dpi)
    return { bytes, contentType: RENDERERS[format].contentType }
  }
  const { contentType, draw } = RENDERERS[code.format]
  return { bytes: await draw(await pictureOf(code), code.scale), contentType }
}

async function pictureOf(code: StoredCode, isExact = false): Promise<Picture> {
  if (code.kind === 'barcode') {
    const { drawBarcode } = await import('@waymark/codes/barcodes')
    return drawBarcode(code.input)
  }
  const { logo, ...options } = code.input
  const { logoShare } = code.drawing
  if (logo === undefined) return drawFramedQr({ ...options, isExact })
  return drawFramedQr({
    ...options,
    isExact,
    logo: await logoAddress(logo),
    ...(logoShare !== undefined && { logoShare }),
  })
}
