import type { PreparedImage } from '@waymark/contract'

export type ImageKind = PreparedImage['source']

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])

/**
 * What a file is by its first bytes, whatever it is called. Undefined for all we do not take: SVG above all, which
 * is a program rather than a picture. No decoder ever sees those.
 */
export function imageKindOf(bytes: Buffer): ImageKind | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'png'
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'jpeg'
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp'
  return isAvif(bytes) ? 'avif' : undefined
}

/** An ISO media file whose first box names AVIF among its brands; its siblings (HEIC, video) are not taken. */
function isAvif(bytes: Buffer): boolean {
  if (bytes.length < 16 || ascii(bytes, 4, 8) !== 'ftyp') return false
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256)
  // The major brand, then a version, then the compatible ones.
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) {
    if (/^avi[fs]$/.test(ascii(bytes, at, at + 4))) return true
  }
  return false
}

function ascii(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end)
}
