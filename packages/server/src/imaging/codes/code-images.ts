import { CodeError } from '@waymark/codes'
import type { BarcodeOptions } from '@waymark/codes/barcodes'
import { admission, laneRules } from '../../net/admission/lanes.ts'
import { bufferOf, Threads } from '../../work/threads.ts'
import type { BarcodeProof, CodeFault, QrProof } from './code.worker.ts'
import type * as work from './code.worker.ts'
import { barcodePixels, MM_PER_INCH, MAX_PIXELS, qrPixels, weightedPixels } from './picture-size.ts'
import type { CodeDrawing, CodeFormat, Print, QrInput, RenderedCode, StoredCode } from './render-code.ts'

export type { BarcodeProof, CodeFormat, Print, QrInput, QrProof, RenderedCode, StoredCode }

/**
 * Draws codes and proves that they can be read, in threads. Every method waits for its turn at the admission gate, and throws a
 * `CodeError` for invalid input.
 */
export interface CodeImages {
  proveQr(input: QrInput): Promise<QrProof>
  proveBarcode(input: BarcodeOptions): Promise<BarcodeProof>
  /** Encodes and lays out a barcode without drawing it. */
  checkBarcode(input: BarcodeOptions): Promise<void>
  render(code: StoredCode, format: CodeFormat, scale?: number): Promise<RenderedCode>
  print(code: StoredCode, print: Print): Promise<RenderedCode>
  close(): Promise<void>
}

/** A small picture counts as this many pixels, because of its fixed costs. */
const MIN_PIXELS = 1_000_000

/** Two, so that a small picture is drawn while a large one is being encoded. */
const DRAWING_THREADS = 2

/** A thread uses forty megabytes and takes a fifth of a second to start. */
const IDLE_MS = 300_000
/** A proof takes a second of processor time; this is for a machine with many other things to do. */
const TASK_MS = 60_000

const unitsOf = (format: CodeFormat, pixels: number): number =>
  format === 'svg' || format === 'pdf' ? MIN_PIXELS : Math.max(weightedPixels(pixels, format), MIN_PIXELS)

const pixelsOf = (code: StoredCode, scale: number): number =>
  code.kind === 'qr' ? qrPixels(code.input, scale) : barcodePixels(code.input, scale)

const openThreads = (threads: number): Threads<typeof work> =>
  new Threads(new URL('./code.worker.ts', import.meta.url), { threads, idleMs: IDLE_MS, limitMs: TASK_MS })

export function openCodeImages(): CodeImages {
  // A thread for each code that is proved at a time, so that one of another account starts immediately.
  const provers = openThreads(laneRules.proofs.capacity)
  // Separate threads, so that pictures for visitors and proofs for accounts do not wait for each other.
  const drawers = openThreads(DRAWING_THREADS)

  const draw = (code: CodeDrawing, units: number): Promise<RenderedCode> =>
    admission.run(
      'drawing',
      async () => {
        const { bytes, contentType } = resultOf(await drawers.run('draw', code))
        return { bytes: bufferOf(bytes), contentType }
      },
      { units },
    )

  return {
    proveQr: (input) => admission.run('proofs', async () => resultOf(await provers.run('proveQr', input))),
    proveBarcode: (input) =>
      admission.run('proofs', async () => resultOf(await provers.run('proveBarcode', input))),
    checkBarcode: (input) =>
      admission.run('proofs', async () => void resultOf(await provers.run('layOutBarcode', input))),
    render: (code, format, scale = 1) =>
      draw({ ...code, format, scale }, unitsOf(format, pixelsOf(code, scale))),
    // The height is known only after drawing; pictures above the limit are rejected then.
    print: (code, print) =>
      draw(
        { ...code, print },
        unitsOf(print.format, Math.min(((print.widthMm * print.dpi) / MM_PER_INCH) ** 2, MAX_PIXELS)),
      ),
    async close() {
      await Promise.all([provers.close(), drawers.close()])
    },
  }
}

function resultOf<Result extends object>(reply: Result | CodeFault): Result {
  if ('fault' in reply) throw new CodeError(reply.fault, reply.message)
  return reply
}
