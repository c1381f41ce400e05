import { sites } from '@waymark/contract'
import type { ImageWidth } from '../../imaging/sizes/kept-sizes.ts'

/** The address of a stored picture, in full size or with a maximum width in pixels. */
export const mediaPath = (hash: string, width?: ImageWidth): string =>
  `${sites.media}/${hash}.webp${width === undefined ? '' : `?w=${width}`}`

/** The address of a stored picture for apps that show shared links: not all of them take WebP. */
export const sharedMediaPath = (hash: string): string => `${sites.media}/${hash}.jpg`
