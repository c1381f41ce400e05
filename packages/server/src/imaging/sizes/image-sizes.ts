import { LRUCache } from 'lru-cache'
import { imageLibrary } from '../image-library.ts'
import { admission } from '../../runtime/admission/lanes.ts'
import { AppError } from '../../runtime/errors.ts'
import { SingleFlight } from '../../runtime/single-flight.ts'

/** The widths in which stored pictures are served: a fixed list, so that a visitor cannot request a thousand others. */
export const IMAGE_WIDTHS = [96, 480, 960, 1440] as const

export type ImageWidth = (typeof IMAGE_WIDTHS)[number]

export interface SizedImage {
  readonly bytes: Buffer
  readonly format: 'webp' | 'avif'
}

export interface ImageSizes {
  /** A stored picture no wider than asked; undefined when there is none. */
  get(hash: string, width: ImageWidth, takesAvif: boolean): Promise<SizedImage | undefined>
}

const KEPT_BYTES = 48 * 1024 * 1024
const MAX_PIXELS = 40_000_000
/** An AVIF takes longer to show than a WebP, so that a few bytes less are no gain. */
const WORTH_SHARE = 0.9

/**
 * Makes smaller pictures of stored ones, each once. WebP is made at once; the slower AVIF meanwhile, for whoever asks
 * next, and only kept when it is worth it.
 */
export function createImageSizes(
  load: (hash: string) => Promise<Uint8Array | undefined>,
  report: (error: unknown) => void,
): ImageSizes {
  const kept = new LRUCache<string, SizedImage | 'not worth it'>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (made) => (typeof made === 'string' ? 0 : made.bytes.length) + 200,
  })
  const flights = new SingleFlight<SizedImage>()

  /** No request waits for it: when there is no room, it is made for a later visitor. */
  const reportUnlessBusy = (error: unknown): void => {
    if (!(error instanceof AppError)) report(error)
  }

  const makeWebp = async (key: string, source: Uint8Array, width: ImageWidth): Promise<SizedImage> => {
    const bytes = await encode(source, width, 'webp')
    const made = { bytes, format: 'webp' } as const
    kept.set(key, made)
    return made
  }

  const makeAvif = async (
    key: string,
    source: Uint8Array,
    width: ImageWidth,
    webp: SizedImage,
  ): Promise<SizedImage> => {
    const bytes = await encode(source, width, 'avif')
    const isWorth = bytes.length < webp.bytes.length * WORTH_SHARE
    const made = { bytes, format: 'avif' } as const
    kept.set(key, isWorth ? made : 'not worth it')
    return made
  }

  return {
    async get(hash, width, takesAvif) {
      const [webpKey, avifKey] = [`${hash}-${width}-webp`, `${hash}-${width}-avif`]
      const avif = takesAvif ? kept.get(avifKey) : 'not worth it'
      if (typeof avif === 'object') return avif
      const known = kept.get(webpKey)
      if (typeof known === 'object' && avif === 'not worth it') return known
      const source = await load(hash)
      if (source === undefined) return undefined
      const webp =
        typeof known === 'object' ? known : await flights.run(webpKey, () => makeWebp(webpKey, source, width))
      if (avif === undefined)
        flights.run(avifKey, () => makeAvif(avifKey, source, width, webp)).catch(reportUnlessBusy)
      return webp
    },
  }
}

/** On sharp's own threads, and never more at once than memory is meant for. */
const encode = async (source: Uint8Array, width: ImageWidth, format: 'webp' | 'avif'): Promise<Buffer> => {
  const sharp = await imageLibrary()
  const open = sharp(source, { limitInputPixels: MAX_PIXELS })
  const { width: wide, height: high } = await open.metadata()
  const sized = open.resize({ width, withoutEnlargement: true })
  const make = (): Promise<Buffer> =>
    format === 'avif'
      ? sized.avif({ quality: 50, effort: 1 }).toBuffer()
      : sized.webp({ quality: 80, smartSubsample: true }).toBuffer()
  return admission.run('drawing', make, { units: wide * high })
}
