import { drawQr, toSvg } from '@waymark/codes'
import type { Picture, QrOptions, QrPicture } from '@waymark/codes'
import type { BarcodeOptions, BarcodePicture } from '@waymark/codes/barcodes'
import { openCodeWorkers } from './code-workers.ts'
import { logoAddress } from './logo.ts'
import { toPdf } from '../pdf.ts'
import { proveBarcode, proveQr } from './proof.ts'
import type { ProvenBarcode, ProvenQr, QrDrawing } from './proof.ts'
import { toPng, toWebp } from './raster.ts'

/** A QR code as the server knows it: the logo as the bytes of an image file. */
export type QrInput = Omit<QrOptions, 'logo' | 'logoShare'> & { logo?: Uint8Array }

export type CodeFormat = 'svg' | 'png' | 'webp' | 'pdf'

export interface RenderedCode {
  bytes: Buffer
  contentType: string
}

/** Draws codes and proves that they can be read. Every method throws a `CodeError` that says what the caller asked wrong. */
export interface CodeImages {
  proveQr(input: QrInput): Promise<ProvenQr>
  proveBarcode(input: BarcodeOptions): Promise<ProvenBarcode>
  renderQr(input: QrInput, drawing: QrDrawing, format: CodeFormat, scale?: number): Promise<RenderedCode>
  renderBarcode(input: BarcodeOptions, format: CodeFormat, scale?: number): Promise<RenderedCode>
  close(): Promise<void>
}

export function openCodeImages({ threads = 1 }: { threads?: number } = {}): CodeImages {
  const workers = openCodeWorkers({ threads })

  async function qrPicture(input: QrInput, { logoShare }: QrDrawing): Promise<QrPicture> {
    const { logo, ...options } = input
    if (logo === undefined) return drawQr(options)
    return drawQr({
      ...options,
      logo: await logoAddress(logo),
      ...(logoShare !== undefined && { logoShare }),
    })
  }

  /** Code 128 is quick; a large Aztec code takes hundreds of milliseconds, which no other request should wait for. */
  async function barcodePicture(input: BarcodeOptions): Promise<BarcodePicture> {
    const { symbology = 'code128' } = input
    // Loaded with the first barcode: two megabytes of encoders.
    const { drawBarcode } = await import('@waymark/codes/barcodes')
    return drawBarcode(
      input,
      symbology === 'code128' ? undefined : await workers.encode(input.text, symbology),
    )
  }

  return {
    async proveQr({ logo, ...options }) {
      return proveQr(logo === undefined ? options : { ...options, logo: await logoAddress(logo) }, workers)
    },
    async proveBarcode(input) {
      return proveBarcode(input.text, await barcodePicture(input), workers)
    },
    async renderQr(input, drawing, format, scale = 1) {
      return render(await qrPicture(input, drawing), format, scale)
    },
    async renderBarcode(input, format, scale = 1) {
      return render(await barcodePicture(input), format, scale)
    },
    close: () => workers.close(),
  }
}

const RENDERERS: Record<
  CodeFormat,
  { contentType: string; draw: (picture: Picture, scale: number) => Promise<Buffer> }
> = {
  svg: { contentType: 'image/svg+xml', draw: async (picture) => Buffer.from(toSvg(picture)) },
  png: { contentType: 'image/png', draw: toPng },
  webp: { contentType: 'image/webp', draw: toWebp },
  pdf: { contentType: 'application/pdf', draw: toPdf },
}

async function render(picture: Picture, format: CodeFormat, scale: number): Promise<RenderedCode> {
  const { contentType, draw } = RENDERERS[format]
  return { bytes: await draw(picture, scale), contentType }
}
