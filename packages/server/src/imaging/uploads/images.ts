import { stat } from 'node:fs/promises'
import { NO_IMAGE, type PreparedImage, UploadedFile } from '@waymark/contract'
import { busy } from '../../net/admission/gate.ts'
import { admission } from '../../net/admission/lanes.ts'
import { pictureThreads } from '../picture-thread.ts'
import { type EncodeOptions, MAX_PIXELS } from './decode.ts'

const MAX_BYTES = 2048 * 1024
// Small pictures count as this many pixels, so that many of them do not fill the thread pool.
const MIN_PIXELS = MAX_PIXELS / 8
/** More than any operation accepts: further files are not read. */
const MAX_FILES = 24
/** Files of one request that are decoded in parallel: a page with two large photos takes as long as with one. */
const FILES_AT_ONCE = 2

const FAULTS = {
  'no image': NO_IMAGE,
  damaged: 'Must be a whole image: this one is damaged',
} as const

export interface ImageOptions extends EncodeOptions {
  /** Called with the number of pixels before they are decoded; throws if there are too many. */
  spend?: (pixels: number) => Promise<void>
}

export type ImageOutcome = ({ ok: true } & PreparedImage) | { ok: false; reason: string }

/**
 * Decodes an upload completely and encodes it again: upright, in sRGB, no larger than needed, and without metadata. Of an
 * animation, the first frame is kept. Error texts are meant for users.
 */
export async function prepareImage(
  upload: UploadedFile | Buffer | string,
  { as, maxSide, spend }: ImageOptions = {},
): Promise<ImageOutcome> {
  if ((await sizeOf(upload)) > MAX_BYTES) return rejected('Must be at most 2048 kilobytes')
  // The thread reads a file itself, so that waiting files take no memory.
  const source = upload instanceof UploadedFile ? upload.path : upload
  const header = await pictureThreads.run('lookAtUpload', source)
  if (typeof header === 'string') return rejected(FAULTS[header])
  const pixels = header.width * header.height
  if (pixels > MAX_PIXELS) return rejected('Must have at most 40 megapixels')
  await spend?.(pixels)
  const decode = () => pictureThreads.run('encode', [source, header, { as, maxSide }])
  const image = await admission.run('decoding', decode, { units: Math.max(pixels, MIN_PIXELS) })
  if (image === 'too slow') throw busy()
  return image === 'damaged' ? rejected(FAULTS.damaged) : { ok: true, ...image }
}

/** Prepares every file in place: each gets an `image` or a `fault`. */
export async function prepareUploads(
  files: readonly UploadedFile[],
  options: ImageOptions = {},
): Promise<void> {
  for (const file of files.slice(MAX_FILES)) file.fault = 'Too many files'
  const waiting = files.slice(0, MAX_FILES)
  const prepareNext = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      try {
        await prepareFile(file, options)
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  }
  // The files are deleted after this returns, so wait for all of them.
  const ends = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, prepareNext))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

async function prepareFile(file: UploadedFile, options: ImageOptions): Promise<void> {
  const outcome = await prepareImage(file, options)
  if (outcome.ok) {
    const { ok: _, ...image } = outcome
    file.image = image
  } else file.fault = outcome.reason
}

async function sizeOf(upload: UploadedFile | Buffer | string): Promise<number> {
  if (upload instanceof UploadedFile) return upload.size
  return typeof upload === 'string' ? (await stat(upload)).size : upload.length
}

function rejected(reason: string): ImageOutcome {
  return { ok: false, reason }
}
