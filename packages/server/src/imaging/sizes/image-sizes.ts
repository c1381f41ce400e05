import { admission } from '../../net/admission/lanes.ts'
import { AppError } from '../../net/errors.ts'
import type { KeptPictures } from '../../storage/kept-pictures.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import { bufferOf } from '../../work/threads.ts'
import { pictureThreads } from '../picture-thread.ts'
import {
  IMAGE_WIDTHS,
  type ImageWidth,
  keptSize,
  SHARED_WIDTH,
  type SizedAs,
  type SizedImage,
  sizedName,
} from './kept-sizes.ts'
import type { SizedFormat } from './resize.ts'

export interface ImageSizes {
  /** A stored picture, no wider than `as`; undefined if there is none. */
  get(hash: string, as: SizedAs, takesAvif: boolean): Promise<SizedImage | undefined>
  /** Makes the sizes of a picture that was just uploaded, so that no visitor has to wait for one. */
  prepare(hash: string, source: Uint8Array, sizes?: readonly SizedAs[]): Promise<void>
}

/** An AVIF takes longer to display than a WebP, so it must be clearly smaller. */
const WORTH_SHARE = 0.9
const NOT_WORTH_IT = Buffer.alloc(0)

/**
 * Creates smaller versions of stored pictures, each once. WebP is created immediately; the slower AVIF in the background, for
 * the next request, and it is only kept if it is smaller.
 */
export function createImageSizes(
  load: (hash: string) => Promise<Uint8Array | undefined>,
  kept: KeptPictures,
  report: (error: unknown) => void,
): ImageSizes {
  const flights = new SingleFlight<SizedImage>()

  /** No request waits for it: when the server is busy, it is created for a later visitor. */
  const reportUnlessBusy = (error: unknown): void => {
    if (!(error instanceof AppError)) report(error)
  }

  const make = (hash: string, source: Uint8Array, as: SizedAs): Promise<SizedImage> => {
    const format = as === 'shared' ? 'jpeg' : 'webp'
    const name = sizedName(hash, as, format)
    return flights.run(name, async () => {
      const made = {
        bytes: await encode(source, as === 'shared' ? SHARED_WIDTH : as, format),
        format,
      } as const
      await kept.put(name, made.bytes)
      return made
    })
  }

  const makeAvif = (hash: string, source: Uint8Array, width: ImageWidth, webp: SizedImage): void => {
    const name = sizedName(hash, width, 'avif')
    const making = flights.run(name, async () => {
      const bytes = await encode(source, width, 'avif')
      const isWorth = bytes.length < webp.bytes.length * WORTH_SHARE
      await kept.put(name, isWorth ? bytes : NOT_WORTH_IT)
      return { bytes, format: 'avif' } as const
    })
    making.catch(reportUnlessBusy)
  }

  const makeBoth = async (hash: string, source: Uint8Array, as: SizedAs): Promise<SizedImage> => {
    const made = await make(hash, source, as)
    if (as !== 'shared' && !(await kept.has(sizedName(hash, as, 'avif')))) makeAvif(hash, source, as, made)
    return made
  }

  return {
    async get(hash, as, takesAvif) {
      const known = await keptSize(kept, hash, as, takesAvif)
      if (known !== undefined) return known
      const source = await load(hash)
      return source && makeBoth(hash, source, as)
    },
    async prepare(hash, source, sizes = [...IMAGE_WIDTHS, 'shared']) {
      for (const as of sizes)
        if ((await keptSize(kept, hash, as, false)) === undefined)
          await makeBoth(hash, source, as).catch(reportUnlessBusy)
    },
  }
}

/** Limits how many run at once, to bound memory usage. */
const encode = async (source: Uint8Array, width: number, format: SizedFormat): Promise<Buffer> => {
  const units = await pictureThreads.run('measurePicture', source)
  const resize = () => pictureThreads.run('resize', [source, width, format])
  return bufferOf(await admission.run('drawing', resize, { units }))
}
