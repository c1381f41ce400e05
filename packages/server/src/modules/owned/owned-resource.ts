import type { ResourceType } from '@waymark/contract'
import { AppError } from '../../runtime/errors.ts'
import type { EventData, Events } from '../../runtime/events.ts'
import type { Listed } from '../../runtime/listed.ts'
import type { Database } from '../../storage/db/database.ts'
import { bumpTotal, readTotal } from '../../storage/db/kept-totals.ts'
import {
  isUnfiltered,
  type ListFilter,
  type ListOrder,
  type ListRequest,
  type ListWindow,
  listWindow,
  toListed,
} from './listing.ts'
import type { TrashStore } from './trash.store.ts'

/** The kept total of what is in the trash. */
export const TRASH_TOTAL = 'trash'

const ERASED_AT_ONCE = 200

/** What every owned resource has. */
interface OwnedRow {
  readonly uuid: string
  readonly trashed_at: number
}

/** What this needs of a store; see OwnedRows. */
interface OwnedStore<Row, Filter> {
  find(userUuid: string, uuid: string): Promise<Row | undefined>
  findMany(userUuid: string, uuids: readonly string[]): Promise<Row[]>
  list(userUuid: string, window: ListWindow & Filter): Promise<Row[]>
  sortValue(row: Row, sort: string): number
  count(userUuid: string, filter: Filter): Promise<number>
  moveToTrash(userUuid: string, uuids: readonly string[], trashedAt: number): Promise<number>
  remove(userUuid: string, uuids: readonly string[]): Promise<number>
  someOf(userUuid: string, take: number): Promise<Row[]>
}

/** What to remove: one or many, to the trash or for good. */
export interface Removal {
  readonly uuid?: string | null | undefined
  readonly uuids?: readonly string[] | null | undefined
  readonly permanent?: boolean | null | undefined
}

/** In what a resource differs from the others. */
export interface OwnedKind<Row, Answer> {
  readonly type: ResourceType
  /** What errors call it: "There is no such QR code". */
  readonly noun: string
  readonly total: OwnedTotal
  /** What the trash calls a row. */
  readonly label: (row: Row) => string
  /** Rows are presented together, so that what they show of others is looked up once. */
  readonly presenterOf: (userUuid: string, rows: readonly Row[]) => Promise<(row: Row) => Answer>
  /** Rejects the removal of rows that are part of something else. */
  readonly rejectParts?: (rows: readonly Row[]) => void | Promise<void>
  /** Rows came into the trash or out of it: what belongs to them follows, and caches forget them. */
  readonly moved?: (userUuid: string, rows: readonly Row[], isTrashed: boolean) => Promise<void>
  /** Rows are about to be deleted: what belongs to them goes first, and their names get tombstones. */
  readonly erasing?: (userUuid: string, rows: readonly Row[]) => Promise<void>
}

/** The kept totals of owned resources. */
type OwnedTotal = 'links' | 'qrcodes' | 'barcodes' | 'utm' | 'pages'

/** What this needs of the quotas of accounts. */
interface OwnedQuotas {
  take(userUuid: string, name: OwnedTotal, count?: number): Promise<void>
  adjust(userUuid: string, name: OwnedTotal, count: number): Promise<void>
}

export interface OwnedDependencies {
  readonly db: Database
  readonly events: Events
  readonly quotas: OwnedQuotas
  readonly trash: TrashStore
  readonly now: () => number
}

const missing = (noun: string, uuid?: string): AppError =>
  new AppError('not_found', { message: `There is no such ${noun}${uuid === undefined ? '' : `: ${uuid}`}` })

/** The row, or 404: what belongs to another user, or is in the trash, is not there either. */
export async function findOwned<Row>(
  store: { find(userUuid: string, uuid: string): Promise<Row | undefined> },
  userUuid: string,
  uuid: string,
  noun: string,
): Promise<Row> {
  const row = await store.find(userUuid, uuid)
  if (row === undefined) throw missing(noun)
  return row
}

/** What the trash needs of a resource. */
export interface Restorable {
  readonly type: ResourceType
  /** Puts rows back, within the plan's quota; inside the write that takes them out of the trash's list. */
  restore(userUuid: string, uuids: readonly string[]): Promise<void>
  /** Deletes rows that are out of use, with what belongs to them; only tombstones stay. Inside a write. */
  erase(userUuid: string, uuids: readonly string[]): Promise<void>
}

/**
 * What the services of owned resources do alike: find, list, remove to the trash, restore and erase. Removal goes in two
 * steps. A row in the trash is out of use for everyone, and keeps its names and files; erasing deletes it with them.
 */
export class OwnedResource<
  Row extends OwnedRow,
  Answer extends EventData,
  Filter extends ListFilter = ListFilter,
> implements Restorable {
  readonly #deps: OwnedDependencies
  readonly #store: OwnedStore<Row, Filter>
  readonly #kind: OwnedKind<Row, Answer>

  constructor(deps: OwnedDependencies, store: OwnedStore<Row, Filter>, kind: OwnedKind<Row, Answer>) {
    this.#deps = deps
    this.#store = store
    this.#kind = kind
  }

  get type(): ResourceType {
    return this.#kind.type
  }

  find(userUuid: string, uuid: string): Promise<Row> {
    return findOwned(this.#store, userUuid, uuid, this.#kind.noun)
  }

  async get(userUuid: string, uuid: string): Promise<Answer> {
    return this.present(userUuid, await this.find(userUuid, uuid))
  }

  /** Rows by uuid, for responses that show them. */
  async findMany(userUuid: string, uuids: readonly string[]): Promise<Map<string, Row>> {
    const rows = await this.#store.findMany(userUuid, uuids)
    return new Map(rows.map((row) => [row.uuid, row]))
  }

  /** `narrowed`: what the list is filtered by besides what every list can be. */
  async list(
    userUuid: string,
    request: ListRequest & ListOrder,
    ...[narrowed]: ListFilter extends Filter ? [] : [narrowed: Omit<Filter, keyof ListFilter>]
  ): Promise<Listed<Answer>> {
    const { db } = this.#deps
    // What a filter has besides the fields of every list is in `narrowed`.
    const window = { ...listWindow(request, request), ...narrowed } as unknown as ListWindow & Filter
    const rows = await this.#store.list(userUuid, window)
    const isWhole =
      isUnfiltered(window) && Object.values(narrowed ?? {}).every((value) => value === undefined)
    const total = isWhole
      ? await readTotal(db, userUuid, this.#kind.total)
      : await this.#store.count(userUuid, window)
    const present = await this.#kind.presenterOf(userUuid, rows)
    return toListed(rows, window, total, present, (row) => this.#store.sortValue(row, window.sort))
  }

  async present(userUuid: string, row: Row): Promise<Answer> {
    const present = await this.#kind.presenterOf(userUuid, [row])
    return present(row)
  }

  /** All of them or none. */
  async remove(userUuid: string, removal: Removal): Promise<{ uuid: string } | { uuids: string[] }> {
    const { db } = this.#deps
    const { uuid, uuids, permanent } = removal
    const named = [...new Set(uuids ?? [uuid ?? ''])]
    await db.write(async () => {
      const rows = await this.#findAll(userUuid, named, uuids != null)
      await this.#kind.rejectParts?.(rows)
      const at = await this.#trash(userUuid, rows)
      await (permanent === true ? this.#erase(userUuid, rows) : this.#enter(userUuid, rows, at))
    })
    return uuids == null ? { uuid: uuid ?? '' } : { uuids: named }
  }

  async #findAll(userUuid: string, uuids: readonly string[], isList: boolean): Promise<Row[]> {
    const { noun } = this.#kind
    const found = await this.findMany(userUuid, uuids)
    return uuids.map((uuid) => {
      const row = found.get(uuid)
      if (row === undefined || row.trashed_at !== 0) throw missing(noun, isList ? uuid : undefined)
      return row
    })
  }

  /** Lists what was moved to the trash; what belongs to it is found through it. */
  async #enter(userUuid: string, rows: readonly Row[], at: number): Promise<void> {
    const { db, trash } = this.#deps
    const { type, label } = this.#kind
    await trash.insert(
      rows.map((row) => ({ uuid: row.uuid, user_uuid: userUuid, type, label: label(row), trashed_at: at })),
    )
    await bumpTotal(db, userUuid, TRASH_TOTAL, rows.length)
  }

  async #trash(userUuid: string, rows: readonly Row[]): Promise<number> {
    const { events, quotas, now } = this.#deps
    const { type, total, moved } = this.#kind
    const at = now()
    const uuids = rows.map(({ uuid }) => uuid)
    if ((await this.#store.moveToTrash(userUuid, uuids, at)) !== uuids.length) throw new AppError('conflict')
    await quotas.adjust(userUuid, total, -uuids.length)
    await moved?.(userUuid, rows, true)
    await events.record(userUuid, `${type}.removed`, () => uuids.map((uuid) => ({ uuid })))
    return at
  }

  async restore(userUuid: string, uuids: readonly string[]): Promise<void> {
    await this.#deps.quotas.take(userUuid, this.#kind.total, uuids.length)
    await this.#putBack(userUuid, uuids)
  }

  async #putBack(userUuid: string, uuids: readonly string[]): Promise<void> {
    const { events } = this.#deps
    const { type, moved, presenterOf } = this.#kind
    if ((await this.#store.moveToTrash(userUuid, uuids, 0)) !== uuids.length) throw new AppError('conflict')
    const rows = await this.#store.findMany(userUuid, uuids)
    await moved?.(userUuid, rows, false)
    await events.record(userUuid, `${type}.restored`, async () => rows.map(await presenterOf(userUuid, rows)))
  }

  /** Rows that belong to something else come into the trash with it, and out of it; no quota stands against them. */
  async moveParts(userUuid: string, uuids: readonly string[], isTrashed: boolean): Promise<void> {
    if (uuids.length === 0) return
    if (isTrashed) {
      await this.#trash(userUuid, await this.#store.findMany(userUuid, uuids))
    } else {
      await this.#deps.quotas.adjust(userUuid, this.#kind.total, uuids.length)
      await this.#putBack(userUuid, uuids)
    }
  }

  /** Ends rows that belong to something else for good, while that stays. */
  async endParts(userUuid: string, uuids: readonly string[]): Promise<void> {
    await this.moveParts(userUuid, uuids, true)
    await this.erase(userUuid, uuids)
  }

  async erase(userUuid: string, uuids: readonly string[]): Promise<void> {
    if (uuids.length > 0) await this.#erase(userUuid, await this.#store.findMany(userUuid, uuids))
  }

  async #erase(userUuid: string, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return
    await this.#kind.erasing?.(userUuid, rows)
    await this.#store.remove(
      userUuid,
      rows.map(({ uuid }) => uuid),
    )
  }

  /** Erases a batch of a leaving user's rows; false when none is left. */
  async eraseSome(userUuid: string): Promise<boolean> {
    const rows = await this.#store.someOf(userUuid, ERASED_AT_ONCE)
    await this.#erase(userUuid, rows)
    return rows.length > 0
  }
}
