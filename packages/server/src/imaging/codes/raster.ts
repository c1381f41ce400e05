import { CodeError, isPlain, toSvg } from '@waymark/codes'
import type { Picture } from '@waymark/codes'
import type { Sharp } from 'sharp'
import { imageLibrary } from '../image-library.ts'
import { plainPng } from './plain-png.ts'

// Anti-aliased pictures take four bytes to the pixel while they are drawn.
const MOST_STYLED_PIXELS = 64_000_000

/** A picture as PNG: plain ones by our own writer, the rest by sharp on its own threads. */
export async function toPng(picture: Picture, scale = 1): Promise<Buffer> {
  if (isPlain(picture)) return plainPng(picture, scale)
  // Rows of bars repeat, which filters turn into nothing; dots and photographs only grow by them.
  const adaptiveFiltering = picture.shape === 'squares' && picture.logo === undefined
  return (await styled(picture, scale)).png({ compressionLevel: 6, adaptiveFiltering }).toBuffer()
}

/** A picture as lossless WebP. */
export async function toWebp(picture: Picture, scale = 1): Promise<Buffer> {
  return (await styled(picture, scale)).webp({ lossless: true, effort: 2 }).toBuffer()
}

async function styled(picture: Picture, scale: number): Promise<Sharp> {
  if (picture.width * picture.height * scale * scale > MOST_STYLED_PIXELS) {
    throw new CodeError('bad_option', `This picture is too large at scale ${scale}`)
  }
  const sharp = await imageLibrary()
  return sharp(Buffer.from(toSvg(picture, scale)), { limitInputPixels: MOST_STYLED_PIXELS }).removeAlpha()
}
