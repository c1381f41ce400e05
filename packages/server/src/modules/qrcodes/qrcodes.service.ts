import { type CodeContent, contentLabel, contentPayload, fitsQr } from '@waymark/codes'
import {
  type Body,
  type FieldErrors,
  ONLY_QR_URLS_ARE_DYNAMIC,
  QrContent,
  type Query,
  validate,
} from '@waymark/contract/schemas'
import type { Caller } from '../../net/caller.ts'
import type { BlobReferences, Staged } from '../../storage/blobs/blob-references.ts'
import { AppError, fieldError, invalidFields } from '../../net/errors.ts'
import type { Listed } from '../owned/listing.ts'
import { type RestorableDependencies, RestorableResource } from '../owned/restorable-resource.ts'
import { checkVersion, type KnownVersions } from '../owned/versions.ts'
import type { CodeImages, QrProof } from '../../imaging/codes/code-images.ts'
import type { ErasedName, Tombstones } from '../../storage/tombstones.ts'
import { linksOf, ownLinksOf, type TrackedLinks, type Tracking } from '../links/tracked-links.ts'
import type { LinkService } from '../links/links.service.ts'
import type { LinkRow } from '../links/links.store.ts'
import { asFieldError, type ImageUrls, versionOf } from '../codes/image-urls.ts'
import { contentText, type Look, lookOf, qrInput } from './qr-look.ts'
import { type QrCode, type QrCreate, qrcodeFields } from './qrcode-fields.ts'
import type { QrcodeFilter, QrcodeRow, QrcodeStore } from './qrcodes.store.ts'

export type { QrCode }
type QrEdit = Body<'editQr'>

export interface QrcodeDependencies extends RestorableDependencies {
  readonly store: QrcodeStore
  readonly pictures: CodeImages
  readonly blobs: BlobReferences
  readonly links: LinkService
  readonly tracked: TrackedLinks
  readonly tombstones: Tombstones
  readonly addresses: ImageUrls
  readonly mediaUrl: (hash: string) => string
}

/** A drawn and proven code before its transaction. */
export interface DrawnQr {
  readonly look: Look
  /** The content of the code instead of a URL. */
  readonly content: CodeContent | null
  /** The encoded text of the content. */
  readonly payload: string | null
  readonly tracking: Tracking
  readonly proven: QrProof
  readonly staged: Staged | undefined
  /** The row that an edit was prepared for. */
  readonly seen: QrcodeRow | undefined
}

const ownerOf = (uuid: string): string => `qrcode:${uuid}`

export class QrcodeService {
  readonly #deps: QrcodeDependencies
  /** Finds, lists, removes, restores and erases codes. */
  readonly owned: RestorableResource<QrcodeRow, QrCode, QrcodeFilter>

  constructor(deps: QrcodeDependencies) {
    this.#deps = deps
    this.owned = new RestorableResource(deps, deps.store, {
      type: 'qrcode',
      noun: 'QR code',
      total: 'qrcodes',
      label: ({ description, content, url }) =>
        description ?? (content === null ? url : contentLabel(JSON.parse(content) as CodeContent)),
      presenterOf: (workspaceUuid, rows) => this.#presenterOf(workspaceUuid, rows),
      rejectParts: (rows) => this.#rejectParts(rows),
      moved: (workspaceUuid, rows, isTrashed) => this.#moved(workspaceUuid, rows, isTrashed),
      erasing: (workspaceUuid, rows) => this.#erasing(workspaceUuid, rows),
    })
  }

  /** Errors of a new code that its schema cannot detect. */
  alsoInvalid({ url, dynamic, content, logo }: Partial<QrCreate>): Promise<FieldErrors> {
    // The fields are as they were sent, if others are invalid.
    const written = validate(QrContent, content)
    return invalidFields(
      () => url && dynamic === true && this.#deps.links.rejectLoop(url, 'url'),
      () => written.ok && payloadOf(givenFields(written.value), logo != null),
    )
  }

  /** A page of the list. The API key alone is public, so unsigned requests only see the type of a content. */
  async list(
    { workspaceUuid, unsigned }: Pick<Caller, 'workspaceUuid' | 'unsigned'>,
    query: Query<'qrcodes'>,
  ): Promise<Listed<QrCode>> {
    if (unsigned !== true)
      return this.owned.list(workspaceUuid, query, { searchesContent: query.search ? true : undefined })
    const page = await this.owned.list(workspaceUuid, query)
    return { ...page, items: page.items.map(withoutContent) }
  }

  /** Draws and proves a new code; slow, so before any transaction. */
  async draw(input: QrCreate): Promise<DrawnQr> {
    const columns = qrcodeFields.newColumns(input)
    const look = lookOf({ ...columns, eye_color: input.eye_color ?? columns.color, logo_hash: null })
    const content = input.content == null ? null : givenFields(input.content)
    const tracking = await this.#deps.tracked.plan(input.url ?? '', input.dynamic ?? false)
    return this.#prove(look, content, tracking, input.logo?.image, undefined)
  }

  /** Draws and proves an edited code; omitted fields do not change. */
  async redraw(workspaceUuid: string, input: QrEdit, versions?: KnownVersions): Promise<DrawnQr> {
    const seen = await this.owned.find(workspaceUuid, input.uuid)
    await checkVersion(seen, versions, () => this.owned.present(workspaceUuid, seen))
    if (await this.#isOfPage(seen, input)) throw new AppError('link_owned')
    const columns = {
      ...seen,
      ...qrcodeFields.changedColumns({ ...input, pattern: input.pattern ?? undefined }),
    }
    const eyesFollow = input.eye_color === null || seen.eye_color === seen.color
    const look = lookOf({
      ...columns,
      eye_color: input.eye_color ?? (eyesFollow ? columns.color : seen.eye_color),
      logo_hash: input.logo === undefined ? seen.logo_hash : null,
    })
    const dynamic = input.dynamic === undefined ? seen.dynamic === 1 : (input.dynamic ?? false)
    const content = contentAfter(input, seen)
    if (content !== null && dynamic) throw fieldError('dynamic', ONLY_QR_URLS_ARE_DYNAMIC)
    const tracking = await this.#deps.tracked.plan(input.url ?? seen.url, dynamic, seen)
    return this.#prove(look, content, tracking, input.logo?.image, seen)
  }

  /** The QR code of a page can only encode the page's short link. */
  async #isOfPage(seen: QrcodeRow, input: QrEdit): Promise<boolean> {
    if (seen.link_uuid === null || seen.dynamic === 1) return false
    const link = await this.#linkOf(seen)
    const moves = (input.url ?? seen.url) !== seen.url || input.dynamic === true || input.content != null
    return link?.owner_type === 'page' && moves
  }

  async #prove(
    look: Look,
    content: CodeContent | null,
    tracking: Tracking,
    logo: { readonly bytes: Uint8Array; readonly width: number; readonly height: number } | undefined,
    seen: QrcodeRow | undefined,
  ): Promise<DrawnQr> {
    const { pictures, blobs } = this.#deps
    const kept = async () => (look.logo_hash === null ? undefined : blobs.need(look.logo_hash))
    const bytes = logo === undefined ? await kept() : logo.bytes
    const payload = content === null ? null : payloadOf(content, bytes !== undefined)
    const text =
      content === null || payload === null ? { text: tracking.encodes } : contentText(content, payload)
    const proven = await pictures
      .proveQr(qrInput(look, text, bytes))
      .catch(asFieldError(payload === null ? 'url' : 'content'))
    const staged = logo === undefined ? undefined : await blobs.stage(logo.bytes, logo)
    const drawnLook = { ...look, logo_hash: staged?.hash ?? look.logo_hash }
    return { look: drawnLook, content, payload, tracking, proven, staged, seen }
  }

  async discard({ staged }: DrawnQr): Promise<void> {
    if (staged !== undefined) await this.#deps.blobs.discard(staged)
  }

  async create(
    workspaceUuid: string,
    description: string | null | undefined,
    drawn: DrawnQr,
  ): Promise<QrCode> {
    const { db, quotas } = this.#deps
    return db.write(async () => {
      await quotas.take(workspaceUuid, 'qrcodes')
      return this.owned.record(
        'created',
        await this.#insert(workspaceUuid, description ?? null, drawn, undefined),
      )
    })
  }

  /** The QR code of a page's short link, which is removed with the page; inside the page's write. */
  async createOfPage(workspaceUuid: string, linkUuid: string, drawn: DrawnQr): Promise<QrcodeRow> {
    await this.#deps.quotas.adjust(workspaceUuid, 'qrcodes', 1)
    const row = await this.#insert(workspaceUuid, null, drawn, linkUuid)
    await this.owned.record('created', row)
    return row
  }

  async #insert(
    workspaceUuid: string,
    description: string | null,
    drawn: DrawnQr,
    linkUuid: string | undefined,
  ): Promise<QrcodeRow> {
    const { store, blobs, tracked } = this.#deps
    const created = this.owned.newRow(workspaceUuid)
    const owner = { type: 'qrcode', uuid: created.uuid } as const
    const link_uuid = linkUuid ?? (await tracked.settle(workspaceUuid, owner, drawn.tracking))
    const row: QrcodeRow = { ...created, description, link_uuid, ...settledOf(drawn) }
    await store.insert(row)
    if (drawn.staged !== undefined)
      await blobs.adopt(drawn.staged, ownerOf(row.uuid), { workspace: workspaceUuid })
    return row
  }

  async edit(workspaceUuid: string, description: string | null | undefined, drawn: DrawnQr): Promise<QrCode> {
    const { db, blobs, tracked } = this.#deps
    const { seen, tracking, staged } = drawn
    if (seen === undefined) throw new Error('an edit needs the row it was prepared for')
    return db.write(async () => {
      const row = await this.owned.update(seen, {
        ...settledOf(drawn),
        ...(description !== undefined && { description }),
        link_uuid: await tracked.settle(workspaceUuid, { type: 'qrcode', uuid: seen.uuid }, tracking),
      })
      if (row.logo_hash !== seen.logo_hash) await blobs.release(ownerOf(seen.uuid))
      if (staged !== undefined) await blobs.adopt(staged, ownerOf(seen.uuid), { workspace: workspaceUuid })
      return this.owned.record('edited', row)
    })
  }

  /** The code of a page is removed with it. */
  async #rejectParts(rows: readonly QrcodeRow[]): Promise<void> {
    const linkOf = await linksOf(this.#deps.links, rows[0]?.workspace_uuid ?? '', rows)
    if (rows.some((row) => linkOf(row)?.owner_type === 'page')) throw new AppError('link_owned')
  }

  /** Moves the link and files into and out of the trash with the code. */
  async #moved(workspaceUuid: string, rows: readonly QrcodeRow[], isTrashed: boolean): Promise<void> {
    const { blobs, links } = this.#deps
    await blobs.hide(
      rows.filter(({ logo_hash }) => logo_hash !== null).map(({ uuid }) => ownerOf(uuid)),
      isTrashed,
    )
    await links.owned.moveParts(workspaceUuid, await ownLinksOf(links, workspaceUuid, rows), isTrashed)
  }

  async #erasing(workspaceUuid: string, rows: readonly QrcodeRow[]): Promise<void> {
    const { blobs, links, tombstones } = this.#deps
    await links.owned.erase(workspaceUuid, await ownLinksOf(links, workspaceUuid, rows))
    for (const { uuid, logo_hash } of rows) if (logo_hash !== null) await blobs.release(ownerOf(uuid))
    await tombstones.add(
      rows.flatMap(({ uuid, logo_hash }): ErasedName[] => [
        ['picture', uuid],
        ...(logo_hash === null ? [] : [['media', logo_hash] as const]),
      ]),
    )
  }

  async #presenterOf(workspaceUuid: string, rows: readonly QrcodeRow[]): Promise<(row: QrcodeRow) => QrCode> {
    const linkOf = await linksOf(this.#deps.links, workspaceUuid, rows)
    return (row) => this.present(row, linkOf(row))
  }

  async #linkOf(row: QrcodeRow): Promise<LinkRow | undefined> {
    const linkOf = await linksOf(this.#deps.links, row.workspace_uuid, [row])
    return linkOf(row)
  }

  present(row: QrcodeRow, link: LinkRow | undefined): QrCode {
    const { addresses, links, mediaUrl } = this.#deps
    return qrcodeFields.show(row, { link, addresses, mediaUrl, shortUrl: (of) => links.shortUrl(of) })
  }
}

const withoutQuery = (url: string): string => url.split('?', 1).join('')

/** A code for unsigned requests. Its picture would reveal the content, and is only served with its version. */
const withoutContent = (code: QrCode): QrCode =>
  code.content === null
    ? code
    : {
        ...code,
        content: { type: code.content.type },
        encodes: null,
        image_url: withoutQuery(code.image_url),
        svg_url: withoutQuery(code.svg_url),
      }

/** The columns that a drawing determines. */
const settledOf = ({ look, content, payload, tracking, proven }: DrawnQr) => ({
  ...look,
  content: content === null ? null : JSON.stringify(content),
  payload,
  content_text: content === null ? null : searchedText(content),
  url: tracking.url,
  dynamic: tracking.dynamic ? (1 as const) : (0 as const),
  encodes: payload === null ? tracking.encodes : '',
  drawing: JSON.stringify(proven.drawing),
  warnings: JSON.stringify(proven.warnings),
  grade: JSON.stringify(proven.grade),
  version: versionOf([look, payload ?? tracking.encodes, proven.drawing]),
})

/** The values of a content for searches. Not the password, because searches are part of URLs, which are logged. */
const searchedText = (content: CodeContent): string =>
  Object.entries(content)
    .filter(([name, value]) => !['type', 'password'].includes(name) && typeof value !== 'boolean')
    .map(([, value]) => String(value))
    .join('\n')

/** The content without omitted fields. */
const givenFields = (content: CodeContent): CodeContent =>
  Object.fromEntries(
    Object.entries(content).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as unknown as CodeContent

/** The content of an edited code: a new `url` replaces it. */
const contentAfter = (input: QrEdit, seen: QrcodeRow): CodeContent | null => {
  if (input.content != null) return givenFields(input.content)
  return seen.content === null || input.url != null ? null : (JSON.parse(seen.content) as CodeContent)
}

/** Capacity of the largest QR code in bytes, at the error correction used with and without a logo. */
const MAX_BYTES = 2331
const MAX_BYTES_WITH_LOGO = 1273
/** Overhead of the UTF-8 marker, which text beyond ASCII needs: 12 bits, of which 4 are lost capacity. */
const UTF8_MARK_BYTES = 1
const markBytes = (payload: string): number =>
  Buffer.byteLength(payload) === payload.length ? 0 : UTF8_MARK_BYTES

/** EPC069-12 limits the size to that of version 13. */
const MAX_SEPA_BYTES = 331

/** The text of a content, if it fits. A short link does not help, because a content is not a destination. */
const payloadOf = (content: CodeContent, hasLogo: boolean): string => {
  const payload = contentPayload(content)
  const bytes = Buffer.byteLength(payload)
  const mark = markBytes(payload)
  const tooLong = (room: string) => fieldError('content', `This content takes ${bytes} bytes: ${room}`)
  if (content.type === 'sepa') {
    if (bytes > MAX_SEPA_BYTES - mark) throw tooLong(`a SEPA transfer holds at most ${MAX_SEPA_BYTES - mark}`)
  } else if (!fitsQr(payload, hasLogo ? 'H' : 'M')) {
    const room = hasLogo ? `${MAX_BYTES_WITH_LOGO - mark} with a logo` : MAX_BYTES - mark
    throw tooLong(`a QR code holds at most ${room}`)
  }
  return payload
}
