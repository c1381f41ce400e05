import { CodeError } from '@waymark/codes'
import { sites } from '@waymark/contract'
import { LRUCache } from 'lru-cache'
import { storedBarcode } from '../../modules/barcodes/barcode-look.ts'
import type { BarcodeRow, BarcodeStore } from '../../modules/barcodes/barcodes.store.ts'
import { storedQr } from '../../modules/qrcodes/qr-look.ts'
import type { QrcodeRow, QrcodeStore } from '../../modules/qrcodes/qrcodes.store.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import { fieldError } from '../../net/errors.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import { type Exchange, get, type Query, type Route, send, sendGone } from '../router.ts'
import { CACHE_FOREVER, isCurrent } from '../site.ts'
import type { CodeFormat, CodeImages, RenderedCode } from '../../imaging/codes/code-images.ts'
import type { Tombstones } from '../../storage/tombstones.ts'

export interface PictureDependencies {
  readonly qrcodes: QrcodeStore
  readonly barcodes: BarcodeStore
  readonly pictures: CodeImages
  readonly blobs: BlobReferences
  readonly tombstones: Tombstones
}

const FORMATS: readonly CodeFormat[] = ['svg', 'png', 'webp', 'pdf']
/** The exact texts accepted in a query: `0x2`, `1e0` and `2.0` are rejected. */
const SCALES: readonly unknown[] = ['1', '2', '3', '4', '5', '6', '7', '8']
const NAME = /^([0-9a-f-]{36})\.(svg|png|webp|pdf)$/
const KEPT_BYTES = 16 * 1024 * 1024

interface Asked {
  readonly uuid: string
  readonly format: CodeFormat
  readonly scale: number
}

const readAsked = (name: string, query: Query): Asked | undefined => {
  const [, uuid, ending] = NAME.exec(name) ?? []
  const format = FORMATS.find((known) => known === (query['format'] ?? ending))
  const scale = SCALES.indexOf(query['scale'] ?? '1') + 1
  if (uuid === undefined) return undefined
  if (format === undefined) throw fieldError('format', `Must be one of: ${FORMATS.join(', ')}`)
  if (scale === 0) throw fieldError('scale', 'Must be a whole number from 1 to 8')
  // SVG has no scale, so a scale must not create a second copy.
  return { uuid, format, scale: format === 'svg' || format === 'pdf' ? 1 : scale }
}

/** The public images of codes. */
export function pictureRoute(deps: PictureDependencies): Route {
  const drawn = new LRUCache<string, RenderedCode>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 100,
  })

  const flights = new SingleFlight<RenderedCode>()

  const drawQr = async (row: QrcodeRow, { format, scale }: Asked): Promise<RenderedCode> =>
    deps.pictures.render(await storedQr(row, deps.blobs), format, scale)
  const drawBarcode = (row: BarcodeRow, { format, scale }: Asked): Promise<RenderedCode> =>
    deps.pictures.render(storedBarcode(row), format, scale)

  const find = async (uuid: string) => {
    const qr = await deps.qrcodes.findPublic(uuid)
    if (qr !== undefined)
      return { ...qr, isPrivate: qr.content !== null, draw: (asked: Asked) => drawQr(qr, asked) }
    const barcode = await deps.barcodes.findPublic(uuid)
    return barcode && { ...barcode, isPrivate: false, draw: (asked: Asked) => drawBarcode(barcode, asked) }
  }

  /** From memory, or drawn once for all concurrent requests. */
  const pictureOf = async (key: string, draw: () => Promise<RenderedCode>): Promise<RenderedCode> =>
    drawn.get(key) ??
    flights.run(key, async () => {
      const picture = await draw().catch(asScaleError)
      drawn.set(key, picture)
      return picture
    })

  const sendMissing = async (uuid: string, exchange: Exchange<'name'>): Promise<void> =>
    (await deps.tombstones.has(['picture', uuid])) ? sendGone(exchange) : exchange.notFound()

  return get<'name'>(`${sites.picture}/:name`, async (exchange) => {
    const { request, params, query } = exchange
    const asked = readAsked(params.name, query)
    if (asked === undefined) return exchange.notFound()
    const found = await find(asked.uuid)
    if (found === undefined) return sendMissing(asked.uuid, exchange)
    if (found.trashed_at !== 0) return sendGone(exchange)
    // An API key without its secret can list uuids, so contacts and Wi-Fi networks need the full address.
    if (found.isPrivate && query['v'] !== found.version) return exchange.notFound()
    const key = `${asked.uuid}-${found.version}-${asked.format}-${asked.scale}`
    const etag = `"${found.version}-${asked.format}-${asked.scale}"`
    const headers = {
      etag,
      'cache-control': query['v'] === found.version ? CACHE_FOREVER : 'no-cache',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      // An SVG that is opened directly is a document: it may only use its own styles and its embedded logo.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    }
    if (isCurrent(request.headers['if-none-match'], etag)) return send(exchange, 304, headers)
    const picture = await pictureOf(key, () => found.draw(asked))
    send(exchange, 200, { ...headers, 'content-type': picture.contentType }, picture.bytes)
  })
}

const asScaleError = (error: unknown): never => {
  if (error instanceof CodeError) throw fieldError('scale', error.message)
  throw error
}
