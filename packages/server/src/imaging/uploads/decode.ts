import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PreparedImage } from '@waymark/contract'
import type { WebpOptions } from 'sharp'
import { bufferOf } from '../../work/threads.ts'
import { imageLibrary } from '../image-library.ts'

export const MAX_PIXELS = 40_000_000
const MAX_SIDE = 2560
// Maximum size of stored pictures: pages show them at most 1,440 wide, and time and memory of encoding grow with the pixels.
const STORED_PIXELS = 4_000_000
const DECODE_SECONDS = 30
// Drawings up to this size are lossless; larger ones would cost seconds.
const LOSSLESS_PIXELS = 1_000_000
// A PNG with more bytes per pixel is a photo or noise: lossless encoding would take a second and not be smaller.
const DRAWING_BYTES_PER_PIXEL = 0.5
// Below this size it does not matter.
const ICON_PIXELS = 250_000
// libwebp's effort from 0 to 6: on a large photo 4 takes twice the time of 2 and saves 2 % of the bytes.
const LARGE_EFFORT = 2

/** The path of a file, empty for a file without bytes, or the bytes themselves. */
type UploadSource = string | Uint8Array

/** The header of an upload. */
interface UploadHeader {
  readonly kind: ImageKind
  readonly width: number
  readonly height: number
}

export interface EncodeOptions {
  /** WebP is for serving; PNG keeps every pixel, for pictures that are drawn into others. Default WebP. */
  readonly as?: PreparedImage['format'] | undefined
  /** Longest side of the result in pixels, at most and by default 2560; the result has at most 4 megapixels. */
  readonly maxSide?: number | undefined
}

/** Reads only the header: what the upload is, or why it is rejected. */
export async function lookAtUpload(source: UploadSource): Promise<UploadHeader | 'no image' | 'damaged'> {
  const bytes = await bytesOf(source)
  const kind = imageKindOf(bytes)
  if (kind === undefined) return 'no image'
  const sharp = await imageLibrary()
  try {
    const { format, compression, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    const agrees = kind === 'avif' ? format === 'heif' && compression === 'av1' : format === kind
    return agrees ? { kind, width, height } : 'damaged'
  } catch {
    return 'damaged'
  }
}

/** Decodes an upload completely and encodes it again. On a busy machine a valid picture can time out. */
export async function encodeUpload(
  source: UploadSource,
  header: UploadHeader,
  options: EncodeOptions,
): Promise<PreparedImage | 'damaged' | 'too slow'> {
  const bytes = await bytesOf(source)
  return encode(bytes, header, options).catch((error: unknown) =>
    error instanceof Error && error.message.startsWith('timeout') ? 'too slow' : 'damaged',
  )
}

async function encode(
  bytes: Buffer,
  header: UploadHeader,
  { as: format = 'webp', maxSide = MAX_SIDE }: EncodeOptions,
): Promise<PreparedImage> {
  const side = Math.min(maxSide, storedSide(header))
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
      : upright.webp(webpOptions(bytes.length, header))
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  const hash = createHash('sha256').update(data).digest('hex')
  return { hash, bytes: data, width: info.width, height: info.height, format, source: header.kind }
}

/** The longest side of the stored picture, also if the picture is not turned upright yet. */
function storedSide({ width, height }: UploadHeader): number {
  const scale = Math.sqrt(Math.min(1, STORED_PIXELS / (width * height)))
  return Math.max(1, Math.min(MAX_SIDE, Math.floor(Math.max(width, height) * scale)))
}

function webpOptions(bytes: number, { kind, width, height }: UploadHeader): WebpOptions {
  const pixels = width * height
  const isCompact = pixels <= ICON_PIXELS || bytes <= pixels * DRAWING_BYTES_PER_PIXEL
  const isDrawing = (kind === 'png' || kind === 'gif') && isCompact
  if (pixels > LOSSLESS_PIXELS) return { quality: 85, effort: LARGE_EFFORT }
  // Full colour resolution costs a hundred megabytes on a large photo, where it is not visible.
  return isDrawing ? { lossless: true } : { quality: 85, smartSubsample: true }
}

async function bytesOf(source: UploadSource): Promise<Buffer> {
  if (typeof source !== 'string') return bufferOf(source)
  return source === '' ? Buffer.alloc(0) : readFile(source)
}

type ImageKind = PreparedImage['source']

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])

/**
 * Detects the file type by its first bytes, regardless of its name. Undefined for all other types, above all SVG, which can
 * contain scripts. No decoder ever sees those.
 */
function imageKindOf(bytes: Buffer): ImageKind | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'png'
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'jpeg'
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp'
  return isAvif(bytes) ? 'avif' : undefined
}

/** An ISO media file whose first box lists the AVIF brand. Similar formats (HEIC, video) are not accepted. */
function isAvif(bytes: Buffer): boolean {
  if (bytes.length < 16 || ascii(bytes, 4, 8) !== 'ftyp') return false
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256)
  // The major brand, then a version, then the compatible brands.
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) {
    if (/^avi[fs]$/.test(ascii(bytes, at, at + 4))) return true
  }
  return false
}

function ascii(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end)
}
