import { imageLibrary } from '../image-library.ts'

export type SizedFormat = 'webp' | 'avif' | 'jpeg'

const MAX_PIXELS = 40_000_000

/** The number of pixels of a stored picture. */
export async function measurePicture(source: Uint8Array): Promise<number> {
  const sharp = await imageLibrary()
  const { width, height } = await sharp(source, { limitInputPixels: MAX_PIXELS }).metadata()
  return width * height
}

/** A stored picture in another format, and no wider than `width`. */
export async function resizePicture(
  source: Uint8Array,
  width: number,
  format: SizedFormat,
): Promise<Uint8Array> {
  const sharp = await imageLibrary()
  const sized = sharp(source, { limitInputPixels: MAX_PIXELS }).resize({ width, withoutEnlargement: true })
  const encoded = {
    avif: () => sized.avif({ quality: 50, effort: 1 }),
    webp: () => sized.webp({ quality: 80, smartSubsample: true }),
    // A JPEG has no transparency.
    jpeg: () => sized.flatten({ background: '#ffffff' }).jpeg({ quality: 82 }),
  }[format]
  return encoded().toBuffer()
}
