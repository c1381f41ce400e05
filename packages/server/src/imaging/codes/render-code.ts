import { toSvg } from '@waymark/codes'
import { drawFramedQr } from '@waymark/codes/captions'
import type { Picture, QrOptions } from '@waymark/codes'
import type { BarcodeOptions } from '@waymark/codes/barcodes'
import { toPdf } from '../pdf.ts'
import { logoAddress } from './logo.ts'
import { toPng, toWebp } from './raster.ts'

/** What the proof settled and a later drawing must repeat; stored with the code as JSON. */
export interface QrDrawing {
  logoShare?: number
}

/** A QR code as the server knows it: the logo as the bytes of an image file. */
export type QrInput = Omit<QrOptions, 'logo' | 'logoShare'> & { logo?: Uint8Array }

export type CodeFormat = 'svg' | 'png' | 'webp' | 'pdf'

export interface RenderedCode {
  bytes: Buffer
  contentType: string
}

/** A code to draw, as it is sent to the thread that draws it. */
export type CodeDrawing = { format: CodeFormat; scale: number } & (
  | { kind: 'qr'; input: QrInput; drawing: QrDrawing }
  | { kind: 'barcode'; input: BarcodeOptions }
)

const RENDERERS: Record<
  CodeFormat,
  { contentType: string; draw: (picture: Picture, scale: number) => Promise<Buffer> }
> = {
  svg: { contentType: 'image/svg+xml', draw: async (picture) => Buffer.from(toSvg(picture)) },
  png: { contentType: 'image/png', draw: toPng },
  webp: { contentType: 'image/webp', draw: toWebp },
  pdf: { contentType: 'application/pdf', draw: toPdf },
}

/** Draws a code. A large one takes tens of milliseconds before the first pixel, so it is done on a thread of its own. */
export async function renderCode(code: CodeDrawing): Promise<RenderedCode> {
  const { contentType, draw } = RENDERERS[code.format]
  return { bytes: await draw(await pictureOf(code), code.scale), contentType }
}

async function pictureOf(code: CodeDrawing): Promise<Picture> {
  if (code.kind === 'barcode') {
    const { drawBarcode } = await import('@waymark/codes/barcodes')
    return drawBarcode(code.input)
  }
  const { logo, ...options } = code.input
  const { logoShare } = code.drawing
  if (logo === undefined) return drawFramedQr(options)
  return drawFramedQr({
    ...options,
    logo: await logoAddress(logo),
    ...(logoShare !== undefined && { logoShare }),
  })
}
