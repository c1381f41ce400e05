import type { KeptPictures } from '../../storage/kept-pictures.ts'
import type { SizedFormat } from './resize.ts'

/** The widths of served pictures: a fixed list, so that a visitor cannot request a thousand others. */
export const IMAGE_WIDTHS = [96, 480, 960, 1440] as const

export type ImageWidth = (typeof IMAGE_WIDTHS)[number]

/** Maximum width of the picture of a shared link. */
export const SHARED_WIDTH = 1200

export interface SizedImage {
  readonly bytes: Buffer
  readonly format: SizedFormat
}

/** The JPEG is for link cards in apps. */
export type SizedAs = ImageWidth | 'shared'

export const sizedName = (hash: string, as: SizedAs, format: SizedFormat): string =>
  `${hash}-${as}.${format === 'jpeg' ? 'jpg' : format}`

/** A size of a stored picture that was made before; undefined if it was not. */
export async function keptSize(
  kept: KeptPictures,
  hash: string,
  as: SizedAs,
  takesAvif: boolean,
): Promise<SizedImage | undefined> {
  for (const format of formatsOf(as, takesAvif)) {
    const bytes = await kept.get(sizedName(hash, as, format))
    // An empty file: this format was not worth it.
    if (bytes !== undefined && bytes.length > 0) return { bytes, format }
  }
  return undefined
}

function formatsOf(as: SizedAs, takesAvif: boolean): readonly SizedFormat[] {
  if (as === 'shared') return ['jpeg']
  return takesAvif ? ['avif', 'webp'] : ['webp']
}
