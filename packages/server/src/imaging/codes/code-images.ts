import type { BarcodeOptions, BarcodePicture } from '@waymark/codes/barcodes'
import { admission } from '../../net/admission/lanes.ts'
import { openCodeThread } from './code-thread.ts'
import { logoAddress } from './logo.ts'
import { barcodePixels, MM_PER_INCH, MAX_PIXELS, qrPixels, weightedPixels } from './picture-size.ts'
import { proveBarcode, type ProvenBarcode, type ProvenQr, proveQr } from './proof.ts'
import type { CodeDrawing, CodeFormat, Print, QrInput, RenderedCode, StoredCode } from './render-code.ts'

export type { CodeFormat, Print, QrInput, RenderedCode, StoredCode }

/**
 * Draws codes and proves that they can be read. Every method waits for its turn at the admission gate, and throws a
 * `CodeError` for invalid input.
 */
export interface CodeImages {
  proveQr(input: QrInput): Promise<ProvenQr>
  proveBarcode(input: BarcodeOptions): Promise<ProvenBarcode>
  /** Encodes and lays out a barcode without drawing it. */
  checkBarcode(input: BarcodeOptions): Promise<void>
  render(code: StoredCode, format: CodeFormat, scale?: number): Promise<RenderedCode>
  print(code: StoredCode, print: Print): Promise<RenderedCode>
  close(): Promise<void>
}

/** A small picture counts as this many pixels, because of its fixed costs. */
const MIN_PIXELS = 1_000_000

/** As many as one account can have proofs at a time. */
const READING_THREADS = 2

/** Two, so that a small picture is drawn while a large one is being encoded. */
const DRAWING_THREADS = 2

const unitsOf = (format: CodeFormat, pixels: number): number =>
  format === 'svg' || format === 'pdf' ? MIN_PIXELS : Math.max(weightedPixels(pixels, format), MIN_PIXELS)

const pixelsOf = (code: StoredCode, scale: number): number =>
  code.kind === 'qr' ? qrPixels(code.input, scale) : barcodePixels(code.input, scale)

export function openCodeImages(): CodeImages {
  const reader = openCodeThread({ threads: READING_THREADS })
  // Separate threads, so that pictures for visitors and proofs for accounts do not wait for each other.
  const drawer = openCodeThread({ threads: DRAWING_THREADS })

  /** Bars are quick, but a large Aztec code takes hundreds of milliseconds, for which no other request should wait. */
  async function barcodePicture(input: BarcodeOptions): Promise<BarcodePicture> {
    const { text, symbology = 'code128' } = input
    const { encodeLinear, isBuiltIn, layoutBarcode } = await import('@waymark/codes/barcodes')
    const bars = isBuiltIn(symbology) ? encodeLinear(text, symbology) : await reader.encode(text, symbology)
    const { captionFont } = await import('@waymark/codes/captions')
    return layoutBarcode(input, bars, captionFont)
  }

  const draw = (code: CodeDrawing, units: number): Promise<RenderedCode> =>
    admission.run('drawing', () => drawer.draw(code), { units })

  return {
    proveQr: ({ logo, ...options }) =>
      admission.run('proofs', async () =>
        proveQr(logo === undefined ? options : { ...options, logo: await logoAddress(logo) }, reader),
      ),
    proveBarcode: (input) =>
      admission.run('proofs', async () => proveBarcode(input.text, await barcodePicture(input), reader)),
    checkBarcode: (input) => admission.run('proofs', async () => void (await barcodePicture(input))),
    render: (code, format, scale = 1) =>
      draw({ ...code, format, scale }, unitsOf(format, pixelsOf(code, scale))),
    // The height is known only after drawing; pictures above the limit are rejected then.
    print: (code, print) =>
      draw(
        { ...code, print },
        unitsOf(print.format, Math.min(((print.widthMm * print.dpi) / MM_PER_INCH) ** 2, MAX_PIXELS)),
      ),
    async close() {
      await Promise.all([reader.close(), drawer.close()])
    },
  }
}
