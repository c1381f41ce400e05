import type { Symbology } from '@waymark/codes/barcodes'
import { type Body, type FieldErrors, ONLY_URLS_ARE_DYNAMIC } from '@waymark/contract/schemas'
import { fieldError, invalidFields } from '../../net/errors.ts'
import { type RestorableDependencies, RestorableResource } from '../owned/restorable-resource.ts'
import { checkVersion, type KnownVersions } from '../owned/versions.ts'
import type { BarcodeProof, CodeImages } from '../../imaging/codes/code-images.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { linksOf, ownLinksOf, type TrackedLinks, type Tracking } from '../links/tracked-links.ts'
import type { LinkService } from '../links/links.service.ts'
import type { LinkRow } from '../links/links.store.ts'
import { asFieldError, type ImageUrls, versionOf } from '../codes/image-urls.ts'
import { type Barcode, type BarcodeCreate, barcodeFields } from './barcode-fields.ts'
import { barcodeOptions, type Look, lookOf } from './barcode-look.ts'
import { asValueError, encodedValue, rejectLong } from './barcode-value.ts'
import type { BarcodeRow, BarcodeStore } from './barcodes.store.ts'

export type { Barcode }
type BarcodeEdit = Body<'editBarcode'>

export interface BarcodeDependencies extends RestorableDependencies {
  readonly store: BarcodeStore
  readonly pictures: CodeImages
  readonly links: LinkService
  readonly tracked: TrackedLinks
  readonly tombstones: Tombstones
  readonly addresses: ImageUrls
}

/** A drawn and proven barcode before its transaction. */
export interface DrawnBarcode {
  readonly look: Look
  readonly value: string | null
  readonly tracking: Tracking
  readonly proven: BarcodeProof
  /** The row that an edit was prepared for. */
  readonly seen: BarcodeRow | undefined
}

export class BarcodeService {
  readonly #deps: BarcodeDependencies
  /** Finds, lists, removes, restores and erases barcodes. */
  readonly owned: RestorableResource<BarcodeRow, Barcode>

  constructor(deps: BarcodeDependencies) {
    this.#deps = deps
    const { links, tombstones } = deps
    this.owned = new RestorableResource(deps, deps.store, {
      type: 'barcode',
      noun: 'barcode',
      total: 'barcodes',
      label: ({ description, value, url }) => description ?? value ?? url,
      presenterOf: (workspaceUuid, rows) => this.#presenterOf(workspaceUuid, rows),
      moved: async (workspaceUuid, rows, isTrashed) =>
        links.owned.moveParts(workspaceUuid, await ownLinksOf(links, workspaceUuid, rows), isTrashed),
      async erasing(workspaceUuid, rows) {
        await links.owned.erase(workspaceUuid, await ownLinksOf(links, workspaceUuid, rows))
        await tombstones.add(rows.map(({ uuid }) => ['picture', uuid]))
      },
    })
  }

  /** Errors of a new barcode that its schema cannot detect. */
  alsoInvalid({ url, dynamic, value, symbology, text }: Partial<BarcodeCreate>): Promise<FieldErrors> {
    const look = { symbology: symbology ?? 'code128', text: text ?? null }
    return invalidFields(
      () => url && dynamic === true && this.#deps.links.rejectLoop(url, 'url'),
      () => url && dynamic !== true && rejectLong('url', url, look),
      () => {
        if (!value) return
        rejectLong('value', value, look)
        encodedValue(value, look.symbology)
      },
    )
  }

  /** `alsoInvalid`, and the errors that only the bars show: what cannot be encoded, or does not fit. */
  async undrawable(input: BarcodeCreate): Promise<FieldErrors> {
    const invalid = await this.alsoInvalid(input)
    if (Object.keys(invalid).length > 0 || input.dynamic === true) return invalid
    const look = lookOf(barcodeFields.newColumns(input))
    const symbology = look.symbology as Symbology
    const value = input.value ?? null
    const text = value === null ? (input.url ?? '') : encodedValue(value, symbology)
    return invalidFields(() =>
      this.#deps.pictures.checkBarcode(barcodeOptions(look, text)).catch(asDrawingError(value, symbology)),
    )
  }

  /** Draws and proves a new barcode; slow, so before any transaction. */
  async draw(input: BarcodeCreate): Promise<DrawnBarcode> {
    const tracking = await this.#deps.tracked.plan(input.url ?? '', input.dynamic ?? false)
    const look = lookOf(barcodeFields.newColumns(input))
    return this.#prove(look, input.value ?? null, tracking, undefined)
  }

  /** Draws and proves an edited barcode; omitted fields do not change. */
  async redraw(workspaceUuid: string, input: BarcodeEdit, versions?: KnownVersions): Promise<DrawnBarcode> {
    const seen = await this.owned.find(workspaceUuid, input.uuid)
    await checkVersion(seen, versions, () => this.owned.present(workspaceUuid, seen))
    const dynamic = input.dynamic === undefined ? seen.dynamic === 1 : (input.dynamic ?? false)
    const url = input.url ?? undefined
    const value = input.value ?? (url === undefined ? seen.value : null)
    if (value !== null && dynamic) throw fieldError('dynamic', ONLY_URLS_ARE_DYNAMIC)
    const tracking = await this.#deps.tracked.plan(url ?? seen.url, dynamic, seen)
    const columns = { ...seen, ...barcodeFields.changedColumns(input) }
    return this.#prove(lookOf(columns), value, tracking, seen)
  }

  async #prove(
    look: Look,
    value: string | null,
    planned: Tracking,
    seen: BarcodeRow | undefined,
  ): Promise<DrawnBarcode> {
    const symbology = look.symbology as Symbology
    rejectLong(value === null ? 'url' : 'value', value ?? planned.encodes, look, seen)
    const tracking = value === null ? planned : { ...planned, encodes: encodedValue(value, symbology) }
    const proven = await this.#deps.pictures
      .proveBarcode(barcodeOptions(look, tracking.encodes))
      .catch(asDrawingError(value, symbology))
    return { look, value, tracking, proven, seen }
  }

  async create(
    workspaceUuid: string,
    description: string | null | undefined,
    drawn: DrawnBarcode,
  ): Promise<Barcode> {
    const { db, store, quotas, tracked } = this.#deps
    return db.write(async () => {
      await quotas.take(workspaceUuid, 'barcodes')
      const created = this.owned.newRow(workspaceUuid)
      const owner = { type: 'barcode', uuid: created.uuid } as const
      const row: BarcodeRow = {
        ...created,
        description: description ?? null,
        link_uuid: await tracked.settle(workspaceUuid, owner, drawn.tracking),
        ...settledOf(drawn),
      }
      await store.insert(row)
      return this.owned.record('created', row)
    })
  }

  async edit(
    workspaceUuid: string,
    description: string | null | undefined,
    drawn: DrawnBarcode,
  ): Promise<Barcode> {
    const { db, tracked } = this.#deps
    const { seen, tracking } = drawn
    if (seen === undefined) throw new Error('an edit needs the row it was prepared for')
    return db.write(async () => {
      const row = await this.owned.update(seen, {
        ...settledOf(drawn),
        ...(description !== undefined && { description }),
        link_uuid: await tracked.settle(workspaceUuid, { type: 'barcode', uuid: seen.uuid }, tracking),
      })
      return this.owned.record('edited', row)
    })
  }

  async #presenterOf(
    workspaceUuid: string,
    rows: readonly BarcodeRow[],
  ): Promise<(row: BarcodeRow) => Barcode> {
    const linkOf = await linksOf(this.#deps.links, workspaceUuid, rows)
    return (row) => this.#present(row, linkOf(row))
  }

  #present(row: BarcodeRow, link: LinkRow | undefined): Barcode {
    const { addresses, links } = this.#deps
    return barcodeFields.show(row, { link, addresses, shortUrl: (of) => links.shortUrl(of) })
  }
}

const asDrawingError = (value: string | null, symbology: Symbology) =>
  value === null ? asFieldError('url') : asValueError(symbology)

/** The columns that a drawing determines. */
const settledOf = ({ look, value, tracking, proven }: DrawnBarcode) => ({
  ...look,
  value,
  url: tracking.url,
  dynamic: tracking.dynamic ? (1 as const) : (0 as const),
  encodes: tracking.encodes,
  warnings: JSON.stringify(proven.warnings),
  grade: JSON.stringify(proven.grade),
  version: versionOf([look, tracking.encodes]),
})
