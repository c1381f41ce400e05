import { imageLibrary } from '../image-library.ts'

const MAX_LOGO_PX = 384
const MAX_INPUT_PIXELS = 40_000_000

/** An uploaded logo as a `data:` URL to embed in pictures: bounded, in sRGB, without metadata. */
export async function logoAddress(bytes: Uint8Array): Promise<string> {
  const sharp = await imageLibrary()
  const image = sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS })
    .autoOrient()
    .resize({ width: MAX_LOGO_PX, height: MAX_LOGO_PX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
  const { hasAlpha } = await image.metadata()
  const [type, encoded] = hasAlpha
    ? ['png', await image.png().toBuffer()]
    : ['jpeg', await image.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer()]
  return `data:image/${type};base64,${encoded.toString('base64')}`
}
