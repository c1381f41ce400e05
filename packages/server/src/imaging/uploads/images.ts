import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { UploadedFile, type PreparedImage } from '@waymark/contract'
import type { WebpOptions } from 'sharp'
import { imageKindOf, type ImageKind } from './image-kind.ts'
import { imageLibrary } from '../image-library.ts'
import { admission } from '../../runtime/admission/lanes.ts'

const MAX_BYTES = 2048 * 1024
const MAX_PIXELS = 40_000_000
const MAX_SIDE = 2560
// What is stored: pages show pictures at most 1,440 wide, and time and memory of encoding grow with the pixels.
const STORED_PIXELS = 4_000_000
const DECODE_SECONDS = 30
// Small pictures count as this much, so that a crowd of them does not fill the thread pool.
const LEAST_PIXELS = MAX_PIXELS / 8
// Drawings of this size are kept without loss; larger ones would cost seconds.
const LOSSLESS_PIXELS = 1_000_000
// A PNG with more bytes for each pixel is a photo or noise: without loss it would take a second and be no smaller.
const DRAWING_BYTES_PER_PIXEL = 0.5
// Below this size that is no matter.
const ICON_PIXELS = 250_000
// libwebp's search for smaller files, 0 to 6: on a large photo 4 takes twice the time of 2 for 2 % of the bytes.
const LARGE_EFFORT = 2
/** More than any operation takes: past that a file is not even looked at. */
const MAX_FILES = 24
/** Files of one request that are decoded at the same time: a page with two large photos takes the time of one. */
const FILES_AT_ONCE = 2

const DAMAGED = 'Must be a whole image: this one is damaged'

export interface ImageOptions {
  /** WebP is what is served; PNG keeps every pixel, for pictures that are drawn into others. Default WebP. */
  as?: PreparedImage['format']
  /** Longest side of the result in pixels, at most and by default 2560; the result has at most 4 megapixels. */
  maxSide?: number
  /** Told how many pixels are about to be decoded; throws when they are too many. */
  spend?: (pixels: number) => Promise<void>
}

interface PictureSize {
  readonly width: number
  readonly height: number
}

export type ImageOutcome = ({ ok: true } & PreparedImage) | { ok: false; reason: string }

/**
 * Decodes an upload whole and encodes it again: upright, in sRGB, no larger than needed, and without anything but
 * its pixels. Of an animation the first frame is kept. The texts of errors are for the person who sent it.
 */
export async function prepareImage(
  source: UploadedFile | Buffer | string,
  options: ImageOptions = {},
): Promise<ImageOutcome> {
  if ((await sizeOf(source)) > MAX_BYTES) return rejected('Must be at most 2048 kilobytes')
  const bytes = await bytesOf(source)
  const kind = imageKindOf(bytes)
  if (kind === undefined) return rejected('Must be an image: PNG, JPEG, GIF, WebP or AVIF')
  const size = await pictureSizeOf(bytes, kind)
  if (size === undefined) return rejected(DAMAGED)
  const pixels = size.width * size.height
  if (pixels > MAX_PIXELS) return rejected('Must have at most 40 megapixels')
  await options.spend?.(pixels)
  const decode = (): Promise<ImageOutcome> =>
    encode(bytes, kind, size, options).catch(() => rejected(DAMAGED))
  return admission.run('decoding', decode, { units: Math.max(pixels, LEAST_PIXELS) })
}

/** Prepares every file in place: each has its `image` or its `fault` afterwards. */
export async function prepareUploads(
  files: readonly UploadedFile[],
  options: ImageOptions = {},
): Promise<void> {
  for (const file of files.slice(MAX_FILES)) file.fault = 'Too many files'
  const waiting = files.slice(0, MAX_FILES)
  const prepareNext = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      try {
        await prepareFile(file, options)
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  }
  // The files are deleted once this returns, so it does not return while one of them is still being read.
  const ends = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, prepareNext))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

async function prepareFile(file: UploadedFile, options: ImageOptions): Promise<void> {
  const outcome = await prepareImage(file, options)
  if (outcome.ok) {
    const { ok: _, ...image } = outcome
    file.image = image
  } else file.fault = outcome.reason
}

async function encode(
  bytes: Buffer,
  source: ImageKind,
  size: PictureSize,
  { as: format = 'webp', maxSide = MAX_SIDE }: ImageOptions,
): Promise<ImageOutcome> {
  const side = Math.min(maxSide, storedSide(size))
  const pixels = size.width * size.height
  const sharp = await imageLibrary()
  const upright = sharp(bytes, {
    failOn: 'error',
    limitInputPixels: MAX_PIXELS,
    pages: 1,
    autoOrient: true,
    sequentialRead: true,
  })
    .timeout({ seconds: DECODE_SECONDS })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
  const encoded =
    format === 'png'
      ? upright.png({ compressionLevel: 9, palette: false })
      : upright.webp(webpOptions(bytes.length, source, pixels))
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  const hash = createHash('sha256').update(data).digest('hex')
  return { ok: true, hash, bytes: data, width: info.width, height: info.height, format, source }
}

/** The longest side of what is stored. The same for a picture that is still to be turned upright. */
function storedSide({ width, height }: PictureSize): number {
  const scale = Math.sqrt(Math.min(1, STORED_PIXELS / (width * height)))
  return Math.max(1, Math.min(MAX_SIDE, Math.floor(Math.max(width, height) * scale)))
}

function webpOptions(bytes: number, source: ImageKind, pixels: number): WebpOptions {
  const isCompact = pixels <= ICON_PIXELS || bytes <= pixels * DRAWING_BYTES_PER_PIXEL
  const isDrawing = (source === 'png' || source === 'gif') && isCompact
  if (pixels > LOSSLESS_PIXELS) return { quality: 85, effort: LARGE_EFFORT }
  // Finer colours cost a hundred megabytes on a large photo, where they are not visible.
  return isDrawing ? { lossless: true } : { quality: 85, smartSubsample: true }
}

/** From the header alone; undefined when that is not what the first bytes promised. */
async function pictureSizeOf(bytes: Buffer, kind: ImageKind): Promise<PictureSize | undefined> {
  const sharp = await imageLibrary()
  try {
    const { format, compression, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    const agrees = kind === 'avif' ? format === 'heif' && compression === 'av1' : format === kind
    return agrees ? { width, height } : undefined
  } catch {
    return undefined
  }
}

async function sizeOf(source: UploadedFile | Buffer | string): Promise<number> {
  if (source instanceof UploadedFile) return source.size
  return typeof source === 'string' ? (await stat(source)).size : source.length
}

async function bytesOf(source: UploadedFile | Buffer | string): Promise<Buffer> {
  if (Buffer.isBuffer(source)) return source
  const path = source instanceof UploadedFile ? source.path : source
  return path === '' ? Buffer.alloc(0) : readFile(path)
}

function rejected(reason: string): ImageOutcome {
  return { ok: false, reason }
}
