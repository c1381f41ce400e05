import type { Body, Data } from '@waymark/contract/schemas'
import type { BlobKeeper, Staged } from '../../storage/blobs/keeper.ts'
import type { Database } from '../../storage/db/database.ts'
import { changeTime } from '../owned/owned-rows.ts'
import { AppError } from '../../runtime/errors.ts'
import type { Events } from '../../runtime/events.ts'
import type { Listed } from '../../runtime/listed.ts'
import type { ListRequest } from '../owned/listing.ts'
import { eraseSomeOwned, findOwned, listOwned } from '../owned/owned-resources.ts'
import { checkVersion, type KnownVersions } from '../owned/versions.ts'
import type { CodeImages } from '../../imaging/codes/code-images.ts'
import type { ProvenQr } from '../../imaging/codes/proof.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import type { Quotas } from '../accounts/quotas.ts'
import { linksOf } from '../links/linked-rows.ts'
import type { LinkService } from '../links/links.service.ts'
import type { LinkRow } from '../links/links.store.ts'
import type { TrackedLinks, Tracking } from '../links/tracking.ts'
import { codeResponse } from '../codes/code-response.ts'
import { asFieldError, type ImageUrls, versionOf } from '../codes/image-urls.ts'
import { type Look, qrInput } from './qr-look.ts'
import type { QrcodeRow, QrcodeStore } from './qrcodes.store.ts'

export type QrCode = Data<'generateQr'>
type QrCreate = Body<'generateQr'>
type QrEdit = Body<'editQr'>

export interface QrcodeDependencies {
  readonly db: Database
  readonly events: Events
  readonly store: QrcodeStore
  readonly pictures: CodeImages
  readonly blobs: BlobKeeper
  readonly links: LinkService
  readonly tracked: TrackedLinks
  readonly quotas: Quotas
  readonly tombstones: Tombstones
  readonly addresses: ImageUrls
  readonly mediaUrl: (hash: string) => string
  readonly now: () => number
  readonly newId: () => string
}

/** A code that was drawn and read back, and waits for its transaction. */
export interface DrawnQr {
  readonly look: Look
  readonly tracking: Tracking
  readonly proven: ProvenQr
  readonly staged: Staged | undefined
  /** The row an edit was prepared for. */
  readonly seen: QrcodeRow | undefined
}

const ERASED_AT_ONCE = 200
const BLACK = '#000000'
const WHITE = '#ffffff'

const ownerOf = (uuid: string): string => `qrcode:${uuid}`

/** The default is stored as null, so that sending it back changes nothing about the picture. */
const storedEyeStyle = (style: string | null): string | null => (style === 'square' ? null : style)

export class QrcodeService {
  readonly #deps: QrcodeDependencies

  constructor(deps: QrcodeDependencies) {
    this.#deps = deps
  }

  /** Draws and proves a new code; slow, and before any transaction. */
  async draw(input: QrCreate): Promise<DrawnQr> {
    const color = input.color ?? BLACK
    const look = {
      size: input.size ?? 300,
      color,
      eye_color: input.eye_color ?? color,
      background: input.background ?? WHITE,
      margin: input.margin ?? 4,
      pattern: input.pattern,
      style: input.style ?? null,
      eye_style: storedEyeStyle(input.eye_style ?? null),
      frame: input.frame ?? null,
      logo_hash: null,
    }
    const tracking = await this.#deps.tracked.plan(input.url, input.dynamic ?? false)
    return this.#prove(look, tracking, input.logo?.image, undefined)
  }

  /** The same for an edit; what is left out stays as it was. */
  async redraw(userUuid: string, input: QrEdit, versions?: KnownVersions): Promise<DrawnQr> {
    const seen = await this.#find(userUuid, input.uuid)
    await checkVersion(seen, versions, () => this.#answer(userUuid, seen))
    if (await this.#isOfPage(seen, input)) throw new AppError('link_owned')
    const color = input.color === undefined ? seen.color : (input.color ?? BLACK)
    const eyesFollow = seen.eye_color === seen.color
    const look = {
      size: input.size === undefined ? seen.size : (input.size ?? 300),
      color,
      eye_color: input.eye_color ?? (input.eye_color === null || eyesFollow ? color : seen.eye_color),
      background: input.background === undefined ? seen.background : (input.background ?? WHITE),
      margin: input.margin === undefined ? seen.margin : (input.margin ?? 4),
      pattern: input.pattern ?? seen.pattern,
      style: input.style === undefined ? seen.style : input.style,
      eye_style: storedEyeStyle(input.eye_style === undefined ? seen.eye_style : input.eye_style),
      frame: input.frame === undefined ? seen.frame : input.frame,
      logo_hash: input.logo === undefined ? seen.logo_hash : null,
    }
    const dynamic = input.dynamic === undefined ? seen.dynamic === 1 : (input.dynamic ?? false)
    const tracking = await this.#deps.tracked.plan(input.url ?? seen.url, dynamic, seen)
    return this.#prove(look, tracking, input.logo?.image, seen)
  }

  /** The QR code of a page encodes the page's short link, and only that. */
  async #isOfPage(seen: QrcodeRow, input: QrEdit): Promise<boolean> {
    if (seen.link_uuid === null || seen.dynamic === 1) return false
    const link = await this.#linkOf(seen)
    const moves = (input.url ?? seen.url) !== seen.url || input.dynamic === true
    return link?.owner_type === 'page' && moves
  }

  async #prove(
    look: Look,
    tracking: Tracking,
    logo: { readonly bytes: Uint8Array; readonly width: number; readonly height: number } | undefined,
    seen: QrcodeRow | undefined,
  ): Promise<DrawnQr> {
    const { pictures, blobs } = this.#deps
    const kept = look.logo_hash === null ? undefined : await blobs.get(look.logo_hash)
    const bytes = logo?.bytes ?? kept
    const proven = await pictures.proveQr(qrInput(look, tracking.encodes, bytes)).catch(asFieldError('url'))
    const staged = logo === undefined ? undefined : await blobs.stage(logo.bytes, logo)
    return { look: { ...look, logo_hash: staged?.hash ?? look.logo_hash }, tracking, proven, staged, seen }
  }

  async discard({ staged }: DrawnQr): Promise<void> {
    if (staged !== undefined) await this.#deps.blobs.discard(staged)
  }

  async create(userUuid: string, description: string | null | undefined, drawn: DrawnQr): Promise<QrCode> {
    const { db, events, quotas } = this.#deps
    return db.write(async () => {
      await quotas.take(userUuid, 'qrcodes')
      const row = await this.#insert(userUuid, description ?? null, drawn, undefined)
      const qrcode = await this.#answer(userUuid, row)
      await events.record(userUuid, 'qrcode.created', () => [qrcode])
      return qrcode
    })
  }

  /** The QR code of a page: of its short link, and removed with it; inside the page's write. */
  async createOfPage(userUuid: string, linkUuid: string, drawn: DrawnQr): Promise<QrcodeRow> {
    const { events, quotas } = this.#deps
    await quotas.adjust(userUuid, 'qrcodes', 1)
    const row = await this.#insert(userUuid, null, drawn, linkUuid)
    await events.record(userUuid, 'qrcode.created', async () => [await this.#answer(userUuid, row)])
    return row
  }

  async #insert(
    userUuid: string,
    description: string | null,
    drawn: DrawnQr,
    linkUuid: string | undefined,
  ): Promise<QrcodeRow> {
    const { store, blobs, tracked, now, newId } = this.#deps
    const uuid = newId()
    const at = now()
    const link_uuid = linkUuid ?? (await tracked.settle(userUuid, { type: 'qrcode', uuid }, drawn.tracking))
    const row: QrcodeRow = {
      uuid,
      user_uuid: userUuid,
      description,
      link_uuid,
      created_at: at,
      updated_at: at,
      ...settledOf(drawn),
    }
    await store.insert(row)
    if (drawn.staged !== undefined) await blobs.adopt(drawn.staged, ownerOf(uuid), userUuid)
    return row
  }

  async edit(userUuid: string, description: string | null | undefined, drawn: DrawnQr): Promise<QrCode> {
    const { db, events, store, blobs, tracked, now } = this.#deps
    const { seen, tracking, staged } = drawn
    if (seen === undefined) throw new Error('an edit needs the row it was prepared for')
    return db.write(async () => {
      const owner = { type: 'qrcode', uuid: seen.uuid } as const
      const row: QrcodeRow = {
        ...seen,
        ...settledOf(drawn),
        description: description === undefined ? seen.description : description,
        link_uuid: await tracked.settle(userUuid, owner, tracking),
        updated_at: changeTime(now(), seen.updated_at),
      }
      if (!(await store.update(seen, row))) throw new AppError('conflict')
      if (row.logo_hash !== seen.logo_hash) await blobs.release(ownerOf(seen.uuid))
      if (staged !== undefined) await blobs.adopt(staged, ownerOf(seen.uuid), userUuid)
      const qrcode = await this.#answer(userUuid, row)
      await events.record(userUuid, 'qrcode.edited', () => [qrcode])
      return qrcode
    })
  }

  async remove(userUuid: string, uuid: string): Promise<{ uuid: string }> {
    const { db, links } = this.#deps
    return db.write(async () => {
      const row = await this.#find(userUuid, uuid)
      const link = await this.#linkOf(row)
      if (link?.owner_type === 'page') throw new AppError('link_owned')
      await this.removeRow(row)
      if (link !== undefined) await links.removeOwned(userUuid, link.uuid)
      return { uuid }
    })
  }

  /** Removes the code and its picture, not its link; inside a write. */
  async removeRow(row: QrcodeRow): Promise<void> {
    const { events, store, blobs, quotas, tombstones } = this.#deps
    await store.remove(row.user_uuid, row.uuid)
    await blobs.release(ownerOf(row.uuid))
    await tombstones.bury([
      ['picture', row.uuid],
      ...(row.logo_hash === null ? [] : [['media', row.logo_hash] as const]),
    ])
    await quotas.adjust(row.user_uuid, 'qrcodes', -1)
    await events.record(row.user_uuid, 'qrcode.removed', () => [{ uuid: row.uuid }])
  }

  /** Erases a batch of a leaving user's codes; false when none is left. */
  eraseSome(userUuid: string): Promise<boolean> {
    return eraseSomeOwned(this.#deps.store, userUuid, ERASED_AT_ONCE, (row) => this.removeRow(row))
  }

  /** Rows of codes by uuid, for answers that show them. */
  async findMany(userUuid: string, uuids: readonly string[]): Promise<Map<string, QrcodeRow>> {
    const rows = await this.#deps.store.findMany(userUuid, uuids)
    return new Map(rows.map((row) => [row.uuid, row]))
  }

  list(userUuid: string, request: ListRequest): Promise<Listed<QrCode>> {
    return listOwned(this.#deps, 'qrcodes', userUuid, request, (rows) => this.#presenterOf(userUuid, rows))
  }

  async #answer(userUuid: string, row: QrcodeRow): Promise<QrCode> {
    const present = await this.#presenterOf(userUuid, [row])
    return present(row)
  }

  async #presenterOf(userUuid: string, rows: readonly QrcodeRow[]): Promise<(row: QrcodeRow) => QrCode> {
    const linkOf = await linksOf(this.#deps.links, userUuid, rows)
    return (row) => this.present(row, linkOf(row))
  }

  async #linkOf(row: QrcodeRow): Promise<LinkRow | undefined> {
    const linkOf = await linksOf(this.#deps.links, row.user_uuid, [row])
    return linkOf(row)
  }

  present(row: QrcodeRow, link: LinkRow | undefined): QrCode {
    const { mediaUrl } = this.#deps
    return {
      uuid: row.uuid,
      url: row.url,
      description: row.description,
      size: row.size,
      color: row.color,
      eye_color: row.eye_color,
      pattern: row.pattern as QrCode['pattern'],
      style: row.style as QrCode['style'],
      eye_style: (row.eye_style ?? 'square') as QrCode['eye_style'],
      frame: row.frame,
      logo: row.logo_hash === null ? null : mediaUrl(row.logo_hash),
      background: row.background,
      margin: row.margin,
      ...codeResponse(this.#deps, row, link),
    }
  }

  #find(userUuid: string, uuid: string): Promise<QrcodeRow> {
    return findOwned(this.#deps.store, userUuid, uuid, 'QR code')
  }
}

/** What a drawing settles of a row. */
const settledOf = ({ look, tracking, proven }: DrawnQr) => ({
  ...look,
  url: tracking.url,
  dynamic: tracking.dynamic ? (1 as const) : (0 as const),
  encodes: tracking.encodes,
  drawing: JSON.stringify(proven.drawing),
  warnings: JSON.stringify(proven.warnings),
  version: versionOf([look, tracking.encodes, proven.drawing]),
})
