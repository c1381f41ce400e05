import { CodeError, isPlain, toSvg } from '@waymark/codes'
import type { Picture } from '@waymark/codes'
import type { Sharp } from 'sharp'
import { imageLibrary } from '../image-library.ts'
import { LOSSLESS_PIXELS, MAX_PIXELS, rejectOversized } from './picture-size.ts'
import { plainPng } from './plain-png.ts'

/** A picture as PNG: plain ones with our own encoder, others with sharp in its own threads. */
export async function toPng(picture: Picture, scale = 1): Promise<Buffer> {
  rejectOversized(picture, scale)
  if (isPlain(picture)) return plainPng(picture, scale)
  // Filters reduce the repeating rows of bars to almost nothing, but enlarge dots and photographs.
  const adaptiveFiltering = picture.shape === 'squares' && picture.logo === undefined
  return (await styled(picture, scale)).png({ compressionLevel: 6, adaptiveFiltering }).toBuffer()
}

/** A picture as a PNG to be printed at `dpi`, scaled exactly rather than by whole multiples. */
export async function toPrintPng(picture: Picture, pxPerPx: number, dpi: number): Promise<Buffer> {
  const scale = Math.round(picture.width * pxPerPx) / picture.width
  const [width, height] = [picture.width * scale, picture.height * scale]
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE_PX)
    throw new CodeError(
      'bad_option',
      `This picture has ${Math.ceil((width * height) / 1_000_000)} megapixels at ${dpi} dpi, and 16 are possible: choose fewer dpi, svg or pdf`,
    )
  return (await styled(picture, scale)).withMetadata({ density: dpi }).png({ compressionLevel: 6 }).toBuffer()
}

/** The widest picture that the library can draw. */
const MAX_SIDE_PX = 32_000

/** A picture as WebP: lossless unless it is so large that single pixels do not matter. */
export async function toWebp(picture: Picture, scale = 1): Promise<Buffer> {
  rejectOversized(picture, scale)
  const isLossless = picture.width * picture.height * scale ** 2 <= LOSSLESS_PIXELS
  const options = isLossless ? { lossless: true, effort: 2 } : { quality: 90, effort: 2 }
  return (await styled(picture, scale)).webp(options).toBuffer()
}

async function styled(picture: Picture, scale: number): Promise<Sharp> {
  const sharp = await imageLibrary()
  return sharp(Buffer.from(toSvg(picture, scale)), { limitInputPixels: MAX_PIXELS }).removeAlpha()
}
