import { decodeQR } from 'qr/decode.js'

/** Pixels as in a canvas: four bytes each, row by row. */
interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray | Uint8Array
}

/** The text of the QR code in an image; undefined when none can be read. */
export function readQr({ width, height, data }: Pixels): string | undefined {
  try {
    return decodeQR({ width, height, data })
  } catch {
    // The decoder throws if it finds nothing.
    return undefined
  }
}
