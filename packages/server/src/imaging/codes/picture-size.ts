import { CodeError } from '@waymark/codes'
import type { Picture, QrOptions } from '@waymark/codes'
import type { BarcodeOptions } from '@waymark/codes/barcodes'

/** The largest picture to draw. Anti-aliased pictures use four bytes per pixel while they are drawn. */
export const MAX_PIXELS = 16_000_000

export const MM_PER_INCH = 25.4

export function rejectOversized({ width, height }: Picture, scale: number): void {
  if (width * height * scale * scale > MAX_PIXELS)
    throw new CodeError('bad_option', `This picture is too large at scale ${scale}`)
}

/** A WebP of up to this many pixels is lossless; in a larger one, single pixels do not matter. */
export const LOSSLESS_PIXELS = 4_000_000

/** Memory per pixel compared with a PNG, which uses five bytes: lossy WebP 7, lossless WebP 20 to 25. */
const LOSSY_WEIGHT = 1.5
const LOSSLESS_WEIGHT = 5

/** The weight of encoding a picture at the admission gate: the pixels of a PNG that uses as much memory. */
export const weightedPixels = (pixels: number, format: 'png' | 'webp'): number => {
  if (format === 'png') return pixels
  return pixels * (pixels <= LOSSLESS_PIXELS ? LOSSLESS_WEIGHT : LOSSY_WEIGHT)
}

const DEFAULT_SIZE = 300
const DEFAULT_HEIGHT = 100
const DEFAULT_CAPTION = 20
/** Pixels per character: 11 modules of two pixels in Code 128, less in every other symbology. */
const CHARACTER_PX = 22
const SURROUND_PX = 100

/** Upper bound for the height of a framed picture, relative to its width. */
const FRAMED_SHARE = 1.2

/** The weight of drawing a QR code at the admission gate. */
export const qrPixels = (
  { size = DEFAULT_SIZE, frame }: Pick<QrOptions, 'size' | 'frame'>,
  scale: number,
): number => (size * scale) ** 2 * (frame === undefined ? 1 : FRAMED_SHARE)

/** The weight of drawing a barcode: a lower bound, as far as it is known before encoding. */
export const barcodePixels = (
  { text, size = DEFAULT_HEIGHT, caption = '', captionSize = DEFAULT_CAPTION }: BarcodeOptions,
  scale: number,
): number => {
  const width = Math.max(text.length * CHARACTER_PX, caption.length * captionSize) + SURROUND_PX
  return width * (size + 2 * captionSize + SURROUND_PX) * scale ** 2
}
