import { Readable } from 'node:stream'
import { CodeError } from '@waymark/codes'
import { toCsv } from '@waymark/contract/csv'
import type { Query } from '@waymark/contract/schemas'
import type { CodeImages, RenderedCode, StoredCode } from '../../imaging/codes/code-images.ts'
import { actingFor, currentRequester, type Requester } from '../../net/admission/gate.ts'
import { asDownload } from '../../net/admission/lanes.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import { chunksOf, type Database } from '../../storage/db/database.ts'
import { storedBarcode } from '../barcodes/barcode-look.ts'
import type { BarcodeRow, BarcodeStore } from '../barcodes/barcodes.store.ts'
import { tagsOf } from '../links/link-fields.ts'
import type { LinkService } from '../links/links.service.ts'
import { linksOf } from '../links/tracked-links.ts'
import { listWindow } from '../owned/listing.ts'
import { storedQr } from '../qrcodes/qr-look.ts'
import { encodedBy } from '../qrcodes/qrcode-fields.ts'
import type { QrcodeRow, QrcodeStore } from '../qrcodes/qrcodes.store.ts'
import { ZipWriter } from './zip.ts'

export interface CodeFilesDependencies {
  readonly qrcodes: QrcodeStore
  readonly barcodes: BarcodeStore
  readonly db: Database
  readonly links: LinkService
  readonly pictures: CodeImages
  readonly blobs: BlobReferences
  readonly now: () => number
}

/** Only uuids and lines of the manifest use memory for each code. */
const MAX_EXPORTED = 10_000
const ROWS_AT_ONCE = 100

const MANIFEST = ['file', 'type', 'uuid', 'description', 'encodes', 'short_url']

const DEFAULT_DPI = 300

/** Files of QR codes and barcodes: for print, and many in one archive. */
export class CodeFiles {
  readonly #deps: CodeFilesDependencies

  constructor(deps: CodeFilesDependencies) {
    this.#deps = deps
  }

  async print(workspaceUuid: string, query: Query<'printCode'>): Promise<RenderedCode> {
    const { uuid, format, width_mm: widthMm, dpi = DEFAULT_DPI } = query
    const code = await this.#find(workspaceUuid, uuid)
    return this.#deps.pictures.print(code, { format, widthMm, dpi }).catch((error: unknown) => {
      throw error instanceof CodeError ? fieldError('dpi', error.message) : error
    })
  }

  /** Selects the codes before the response begins, so that an unknown code is an error response. */
  async export(workspaceUuid: string, { format, uuids, tag }: Query<'exportCodes'>): Promise<Readable> {
    const chosen =
      uuids === undefined || uuids === ''
        ? await this.#listed(workspaceUuid, tag)
        : await this.#named(workspaceUuid, [...new Set(uuids.split(','))], tag)
    return asDownload(
      // The stream asks for pictures in the context of its socket.
      Readable.from(this.#archive(workspaceUuid, chosen, format, currentRequester()), {
        objectMode: false,
        highWaterMark: 1,
      }),
    )
  }

  /** The uuids of all codes, QR codes first, newest first. */
  async #listed(workspaceUuid: string, tag: string | undefined): Promise<string[]> {
    const { db, qrcodes, barcodes } = this.#deps
    const chosen: string[] = []
    for (const store of [qrcodes, barcodes])
      for (let last: { uuid: string } | undefined, isMore = true; isMore;) {
        const after = last && { value: 0, uuid: last.uuid }
        const window = { ...listWindow({}), take: ROWS_AT_ONCE, after }
        const rows = await db.read((): Promise<(QrcodeRow | BarcodeRow)[]> =>
          store.list(workspaceUuid, window),
        )
        chosen.push(...(await this.#tagged(workspaceUuid, rows, tag)))
        if (chosen.length > MAX_EXPORTED)
          throw fieldError(
            'uuids',
            `An archive has at most ${MAX_EXPORTED} codes: choose some by uuids or tag`,
          )
        last = rows.at(-1)
        isMore = rows.length === ROWS_AT_ONCE
      }
    return chosen
  }

  async #named(workspaceUuid: string, uuids: readonly string[], tag: string | undefined): Promise<string[]> {
    const rows = await this.#rows(workspaceUuid, uuids)
    const found = new Set(rows.map(({ uuid }) => uuid))
    const missing = uuids.find((uuid) => !found.has(uuid))
    if (missing !== undefined)
      throw new AppError('not_found', { message: `There is no such code: ${missing}` })
    return this.#tagged(workspaceUuid, rows, tag)
  }

  async #rows(workspaceUuid: string, uuids: readonly string[]): Promise<(QrcodeRow | BarcodeRow)[]> {
    const { db, qrcodes, barcodes } = this.#deps
    const rows = await db.read(async () => [
      ...(await qrcodes.findMany(workspaceUuid, uuids)),
      ...(await barcodes.findMany(workspaceUuid, uuids)),
    ])
    const byUuid = new Map(rows.map((row) => [row.uuid, row]))
    return uuids.flatMap((uuid) => byUuid.get(uuid) ?? []).filter(({ trashed_at }) => trashed_at === 0)
  }

  async #tagged(
    workspaceUuid: string,
    rows: readonly (QrcodeRow | BarcodeRow)[],
    tag: string | undefined,
  ): Promise<string[]> {
    if (tag === undefined || tag === '') return rows.map(({ uuid }) => uuid)
    const linkOf = await linksOf(this.#deps.links, workspaceUuid, rows)
    return rows.flatMap((row) => {
      const link = linkOf(row)
      return link !== undefined && tagsOf(link).includes(tag) ? [row.uuid] : []
    })
  }

  /** Draws each picture after the client has read the previous one, behind the admission gate. */
  async *#archive(
    workspaceUuid: string,
    uuids: readonly string[],
    format: 'svg' | 'png',
    requester: Requester,
  ): AsyncGenerator<Buffer> {
    const { links, now } = this.#deps
    const zip = new ZipWriter(now())
    const manifest: Buffer[] = [Buffer.from(toCsv([MANIFEST]))]
    for (const some of chunksOf(uuids, ROWS_AT_ONCE)) {
      const rows = await this.#rows(workspaceUuid, some)
      const linkOf = await linksOf(links, workspaceUuid, rows)
      for (const row of rows) {
        const bytes = await actingFor(requester, () => this.#picture(row, format))
        const file = `${row.uuid}.${format}`
        const link = linkOf(row)
        const [type, encodes] = 'symbology' in row ? ['barcode', row.encodes] : ['qrcode', encodedBy(row)]
        const shortUrl = link === undefined ? null : links.shortUrl(link)
        const drawn = bytes === undefined ? null : file
        manifest.push(Buffer.from(toCsv([[drawn, type, row.uuid, row.description, encodes, shortUrl]])))
        if (bytes !== undefined) yield zip.file(file, bytes)
      }
    }
    yield zip.file('manifest.csv', Buffer.concat(manifest))
    yield zip.end()
  }

  /** The picture of a code, or undefined if its logo is missing: the other codes of an archive do not depend on it. */
  async #picture(row: QrcodeRow | BarcodeRow, format: 'svg' | 'png'): Promise<Buffer | undefined> {
    try {
      return (await this.#deps.pictures.render(await this.#stored(row), format)).bytes
    } catch (error) {
      if (error instanceof AppError && error.code === 'file_missing') return undefined
      throw error
    }
  }

  #stored(row: QrcodeRow | BarcodeRow): StoredCode | Promise<StoredCode> {
    return 'symbology' in row ? storedBarcode(row) : storedQr(row, this.#deps.blobs)
  }

  async #find(workspaceUuid: string, uuid: string): Promise<StoredCode> {
    const { qrcodes, barcodes, blobs } = this.#deps
    const qr = await qrcodes.find(workspaceUuid, uuid)
    if (qr !== undefined) return storedQr(qr, blobs)
    const barcode = await barcodes.find(workspaceUuid, uuid)
    if (barcode !== undefined) return storedBarcode(barcode)
    throw new AppError('not_found', { message: 'There is no such code' })
  }
}
