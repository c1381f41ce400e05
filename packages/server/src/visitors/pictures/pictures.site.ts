import { sites } from '@waymark/contract'
import { type AskedPicture, keptName } from '../../imaging/codes/kept-code.ts'
import type { CodeFormat } from '../../imaging/codes/render-code.ts'
import { fieldError } from '../../net/errors.ts'
import type { Reads } from '../../storage/db/database.ts'
import type { KeptPictures } from '../../storage/kept-pictures.ts'
import type { ErasedNames } from '../../storage/tombstones.ts'
import { type Exchange, get, type Query, type Route, send, sendGone } from '../router.ts'
import { CACHE_FOREVER, isCurrent } from '../site.ts'
import { findPublicCode } from './public-codes.ts'

interface PictureDependencies {
  readonly db: Reads
  readonly tombstones: ErasedNames
  readonly kept: KeptPictures
  /** Left out in the visitors' half, which passes requests for pictures that were not drawn before on. Undefined: none. */
  readonly draw?: (asked: AskedPicture) => Promise<Uint8Array | undefined>
}

const CONTENT_TYPES = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  pdf: 'application/pdf',
} as const satisfies Record<CodeFormat, string>

const FORMATS = Object.keys(CONTENT_TYPES) as CodeFormat[]
/** The exact texts accepted in a query: `0x2`, `1e0` and `2.0` are rejected. */
const SCALES: readonly unknown[] = ['1', '2', '3', '4', '5', '6', '7', '8']
const NAME = /^([0-9a-f-]{36})\.(svg|png|webp|pdf)$/

const readAsked = (name: string, query: Query): Omit<AskedPicture, 'version'> | undefined => {
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
export function pictureRoute({ db, tombstones, kept, draw }: PictureDependencies): Route {
  const sendMissing = async (uuid: string, exchange: Exchange<'name'>): Promise<void> =>
    (await tombstones.has(['picture', uuid])) ? sendGone(exchange) : exchange.notFound()

  const answer = async (exchange: Exchange<'name'>): Promise<void> => {
    const { request, params, query } = exchange
    const named = readAsked(params.name, query)
    if (named === undefined) return exchange.notFound()
    const found = await findPublicCode(db, named.uuid)
    if (found === undefined) return sendMissing(named.uuid, exchange)
    if (found.trashed_at !== 0) return sendGone(exchange)
    // An API key without its secret can list uuids, so contacts and Wi-Fi networks need the full address.
    if (found.isPrivate && query['v'] !== found.version) return exchange.notFound()
    const asked = { ...named, version: found.version }
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
    const name = keptName(asked)
    const known = name === undefined ? undefined : await kept.get(name)
    if (known === undefined && draw === undefined) return exchange.passOn()
    const picture = known ?? (await draw?.(asked))
    // The code was changed or removed meanwhile.
    if (picture === undefined) return answer(exchange)
    send(exchange, 200, { ...headers, 'content-type': CONTENT_TYPES[asked.format] }, picture)
  }
  return get<'name'>(`${sites.picture}/:name`, answer)
}
