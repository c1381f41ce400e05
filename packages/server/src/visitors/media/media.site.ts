import { sites } from '@waymark/contract'
import { IMAGE_WIDTHS, type ImageSizes, type ImageWidth } from '../../imaging/sizes/image-sizes.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import { isUnavailable } from '../../storage/db/unavailable.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import { bufferOf } from '../../work/threads.ts'
import { type Exchange, get, type Query, type Route, send, sendGone } from '../router.ts'
import { CACHE_FOREVER, isCurrent } from '../site.ts'

const NAME = /^([0-9a-f]{64})\.(webp|jpg)$/

/** The address of a stored picture, in full size or with a maximum width in pixels. */
export const mediaPath = (hash: string, width?: ImageWidth): string =>
  `${sites.media}/${hash}.webp${width === undefined ? '' : `?w=${width}`}`

/** The address of a stored picture for apps that show shared links: not all of them take WebP. */
export const sharedMediaPath = (hash: string): string => `${sites.media}/${hash}.jpg`

interface Asked {
  readonly hash: string
  readonly width: ImageWidth | 'shared' | undefined
}

const readAsked = (name: string, query: Query): Asked | undefined => {
  const [, hash, ending] = NAME.exec(name) ?? []
  if (hash === undefined) return undefined
  if (ending === 'jpg') return { hash, width: 'shared' }
  if (query['w'] === undefined) return { hash, width: undefined }
  const width = IMAGE_WIDTHS.find((known) => String(known) === query['w'])
  return width === undefined ? undefined : { hash, width }
}

/** Stored pictures by their content hash, so a URL never changes its content. */
export function mediaRoute(blobs: BlobReferences, sizes: ImageSizes, tombstones: Tombstones): Route {
  const files = new FilesInUse((hash) => blobs.get(hash))

  /** Files are served while the database is down: nothing can be deleted then. */
  const orWhileDown = (answer: Promise<boolean>, whileDown: boolean): Promise<boolean> =>
    answer.catch((error: unknown) => {
      if (isUnavailable(error)) return whileDown
      throw error
    })

  const readWhole = async (hash: string): Promise<Buffer | undefined> => {
    const known = files.known(hash)
    if (known !== undefined && (await orWhileDown(blobs.has(hash), true))) return known
    return files.read(hash)
  }

  const find = async ({ hash, width }: Asked, accept: string) => {
    if (width === 'shared') return (await blobs.has(hash)) ? sizes.shared(hash) : undefined
    if (width !== undefined)
      return (await blobs.has(hash)) ? sizes.get(hash, width, accept.includes('image/avif')) : undefined
    const bytes = await readWhole(hash)
    return bytes && { bytes, format: 'webp' as const }
  }

  const sendMissing = async (hash: string, exchange: Exchange<'name'>): Promise<void> => {
    if (await tombstones.has(['media', hash])) return sendGone(exchange)
    if (await blobs.has(hash)) blobs.missing(hash)
    exchange.notFound()
  }

  return get<'name'>(`${sites.media}/:name`, async (exchange) => {
    const { headers: given } = exchange.request
    const asked = readAsked(exchange.params.name, exchange.query)
    if (asked === undefined) return exchange.notFound()
    const { hash, width } = asked
    if (await orWhileDown(blobs.isHidden(hash), false)) return sendGone(exchange)
    const found = await find(asked, given.accept ?? '')
    if (found === undefined) return sendMissing(hash, exchange)
    const etag = width === undefined ? `"${hash}"` : `"${hash}-${width}-${found.format}"`
    const headers = {
      etag,
      'cache-control': CACHE_FOREVER,
      'x-content-type-options': 'nosniff',
      ...(typeof width === 'number' && { vary: 'Accept' }),
    }
    if (isCurrent(given['if-none-match'], etag)) return send(exchange, 304, headers)
    send(exchange, 200, { ...headers, 'content-type': `image/${found.format}` }, found.bytes)
  })
}

/**
 * Reads a stored file once for all responses that are sending it. Any number of clients that read slowly, or not at all, then
 * use one copy in memory.
 */
class FilesInUse {
  readonly #read: (hash: string) => Promise<Uint8Array | undefined>
  readonly #reads = new SingleFlight<Buffer | undefined>()
  readonly #files = new Map<string, WeakRef<Buffer>>()
  readonly #freed = new FinalizationRegistry<string>((hash) => {
    if (this.known(hash) === undefined) this.#files.delete(hash)
  })

  constructor(read: (hash: string) => Promise<Uint8Array | undefined>) {
    this.#read = read
  }

  /** The bytes of a file that a response is sending; the file itself may have been deleted. */
  known(hash: string): Buffer | undefined {
    return this.#files.get(hash)?.deref()
  }

  read(hash: string): Promise<Buffer | undefined> {
    return this.#reads.run(hash, async () => {
      const bytes = await this.#read(hash)
      if (bytes === undefined) return undefined
      const file = bufferOf(bytes)
      this.#files.set(hash, new WeakRef(file))
      this.#freed.register(file, hash)
      return file
    })
  }
}
