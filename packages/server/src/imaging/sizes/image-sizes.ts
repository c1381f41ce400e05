import { LRUCache } from 'lru-cache'
import { admission } from '../../net/admission/lanes.ts'
import { AppError } from '../../net/errors.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import { pictureThreads } from '../picture-thread.ts'
import type { SizedFormat } from './resize.ts'
import { bufferOf } from '../../work/threads.ts'

/** The widths of served pictures: a fixed list, so that a visitor cannot request a thousand others. */
export const IMAGE_WIDTHS = [96, 480, 960, 1440] as const

export type ImageWidth = (typeof IMAGE_WIDTHS)[number]

export interface SizedImage {
  readonly bytes: Buffer
  readonly format: SizedFormat
}

export interface ImageSizes {
  /** A stored picture, no wider than `width`; undefined if there is none. */
  get(hash: string, width: ImageWidth, takesAvif: boolean): Promise<SizedImage | undefined>
  /** A stored picture as a JPEG for link cards in apps; undefined if there is none. */
  shared(hash: string): Promise<SizedImage | undefined>
}

/** Maximum width of the picture of a shared link. */
export const SHARED_WIDTH = 1200

const KEPT_BYTES = 48 * 1024 * 1024
/** An AVIF takes longer to display than a WebP, so it must be clearly smaller. */
const WORTH_SHARE = 0.9

/**
 * Creates smaller versions of stored pictures, each once. WebP is created immediately; the slower AVIF in the background, for
 * the next request, and it is only kept if it is smaller.
 */
export function createImageSizes(
  load: (hash: string) => Promise<Uint8Array | undefined>,
  report: (error: unknown) => void,
): ImageSizes {
  const cache = new LRUCache<string, SizedImage | 'not worth it'>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (made) => (typeof made === 'string' ? 0 : made.bytes.length) + 200,
  })
  const flights = new SingleFlight<SizedImage>()

  /** No request waits for it: when the server is busy, it is created for a later visitor. */
  const reportUnlessBusy = (error: unknown): void => {
    if (!(error instanceof AppError)) report(error)
  }

  const make = async (
    key: string,
    source: Uint8Array,
    width: number,
    format: 'webp' | 'jpeg',
  ): Promise<SizedImage> => {
    const made = { bytes: await encode(source, width, format), format }
    cache.set(key, made)
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
    cache.set(key, isWorth ? made : 'not worth it')
    return made
  }

  return {
    async get(hash, width, takesAvif) {
      const [webpKey, avifKey] = [`${hash}-${width}-webp`, `${hash}-${width}-avif`]
      const avif = takesAvif ? cache.get(avifKey) : 'not worth it'
      if (typeof avif === 'object') return avif
      const known = cache.get(webpKey)
      if (typeof known === 'object' && avif === 'not worth it') return known
      const source = await load(hash)
      if (source === undefined) return undefined
      const webp =
        typeof known === 'object'
          ? known
          : await flights.run(webpKey, () => make(webpKey, source, width, 'webp'))
      if (avif === undefined)
        flights.run(avifKey, () => makeAvif(avifKey, source, width, webp)).catch(reportUnlessBusy)
      return webp
    },
    async shared(hash) {
      const key = `${hash}-jpeg`
      const known = cache.get(key)
      if (typeof known === 'object') return known
      const source = await load(hash)
      return source && flights.run(key, () => make(key, source, SHARED_WIDTH, 'jpeg'))
    },
  }
}

/** Limits how many run at once, to bound memory usage. */
const encode = async (source: Uint8Array, width: number, format: SizedFormat): Promise<Buffer> => {
  const units = await pictureThreads.run('measurePicture', source)
  const resize = () => pictureThreads.run('resize', [source, width, format])
  return bufferOf(await admission.run('drawing', resize, { units }))
}
