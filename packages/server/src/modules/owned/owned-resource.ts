import type { TrashType } from '@waymark/contract'
import { AppError } from '../../runtime/errors.ts'
import type { EventData, Items } from '../../runtime/events.ts'
import type { Listed } from '../../runtime/listed.ts'
import { bumpTotal, readTotal } from '../../storage/db/kept-totals.ts'
import {
  isUnfiltered,
  type ListFilter,
  type ListOrder,
  type ListRequest,
  type ListWindow,
  listWindow,
  toListed,
  wholeCount,
} from './listing.ts'
import type {
  NewRow,
  OwnedDependencies,
  OwnedKind,
  OwnedRow,
  OwnedStore,
  Removal,
  Restorable,
} from './owned-kind.ts'
import { changeTime } from './owned-rows.ts'

export type { OwnedDependencies, Restorable }

/** The kept total of what is in the trash. */
export const TRASH_TOTAL = 'trash'

const ERASED_AT_ONCE = 200

type Change = 'created' | 'edited' | 'removed' | 'restored'

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

/**
 * What the services of owned resources do alike: find, list, remove to the trash, restore and erase. Removal goes in two
 * steps. A row in the trash is out of use for everyone, and keeps its names and files; erasing deletes it with them.
 */
export class OwnedResource<
  Row extends OwnedRow,
  Resource extends EventData,
  Filter extends ListFilter = ListFilter,
> implements Restorable {
  readonly #deps: OwnedDependencies
  readonly #store: OwnedStore<Row, Filter>
  readonly #kind: OwnedKind<Row, Resource>

  constructor(deps: OwnedDependencies, store: OwnedStore<Row, Filter>, kind: OwnedKind<Row, Resource>) {
    this.#deps = deps
    this.#store = store
    this.#kind = kind
  }

  get type(): TrashType {
    return this.#kind.type
  }

  find(userUuid: string, uuid: string): Promise<Row> {
    return findOwned(this.#store, userUuid, uuid, this.#kind.noun)
  }

  async get(userUuid: string, uuid: string): Promise<Resource> {
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
  ): Promise<Listed<Resource>> {
    const { db } = this.#deps
    // What a filter has besides the fields of every list is in `narrowed`.
    const window = { ...listWindow(request, request), ...narrowed } as unknown as ListWindow & Filter
    const rows = await this.#store.list(userUuid, window)
    const isWhole =
      isUnfiltered(window) && Object.values(narrowed ?? {}).every((value) => value === undefined)
    const { total: kept } = this.#kind
    const total =
      isWhole && kept !== null
        ? await readTotal(db, userUuid, kept)
        : (wholeCount(rows, window) ?? (await this.#store.count(userUuid, window)))
    const present = await this.#kind.presenterOf(userUuid, rows)
    return toListed(rows, window, total, present, (row) => this.#store.sortValue(row, window.sort))
  }

  async present(userUuid: string, row: Row): Promise<Resource> {
    const present = await this.#kind.presenterOf(userUuid, [row])
    return present(row)
  }

  /** The columns that every new row has. */
  newRow(userUuid: string): NewRow {
    const at = this.#deps.now()
    return {
      uuid: this.#deps.newId(),
      user_uuid: userUuid,
      created_at: at,
      updated_at: at,
      trashed_at: 0,
    }
  }

  /** Writes an edit, unless another one was faster; inside a write. Returns the row as it is then. */
  async update(seen: Row, changes: Partial<Row>): Promise<Row> {
    const dated = { ...changes, updated_at: changeTime(this.#deps.now(), seen.updated_at) }
    if (!(await this.#store.update(seen, dated))) throw new AppError('conflict')
    return { ...seen, ...dated }
  }

  /** Presents a row that was created or edited, and records that; inside the write that did it. */
  async record(change: 'created' | 'edited', row: Row): Promise<Resource> {
    const answer = await this.present(row.user_uuid, row)
    await this.#tell(row.user_uuid, change, () => [answer])
    return answer
  }

  /** Webhooks report what happens to other resources, and nothing about themselves. */
  async #tell(userUuid: string, change: Change, items: Items): Promise<void> {
    const { type } = this.#kind
    if (type !== 'webhook') await this.#deps.events.record(userUuid, `${type}.${change}`, items)
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
    const { moved } = this.#kind
    const at = this.#deps.now()
    const uuids = rows.map(({ uuid }) => uuid)
    if ((await this.#store.moveToTrash(userUuid, uuids, at)) !== uuids.length) throw new AppError('conflict')
    await this.#count(userUuid, -uuids.length)
    await moved?.(userUuid, rows, true)
    await this.#tell(userUuid, 'removed', () => uuids.map((uuid) => ({ uuid })))
    return at
  }

  async #count(userUuid: string, change: number): Promise<void> {
    const { total } = this.#kind
    if (total !== null) await this.#deps.quotas.adjust(userUuid, total, change)
  }

  async restore(userUuid: string, uuids: readonly string[]): Promise<void> {
    const { total, restoring } = this.#kind
    if (total !== null) await this.#deps.quotas.take(userUuid, total, uuids.length)
    await restoring?.(userUuid, uuids.length)
    await this.#putBack(userUuid, uuids)
  }

  async #putBack(userUuid: string, uuids: readonly string[]): Promise<void> {
    const { moved, presenterOf } = this.#kind
    if ((await this.#store.moveToTrash(userUuid, uuids, 0)) !== uuids.length) throw new AppError('conflict')
    const rows = await this.#store.findMany(userUuid, uuids)
    await moved?.(userUuid, rows, false)
    await this.#tell(userUuid, 'restored', async () => rows.map(await presenterOf(userUuid, rows)))
  }

  /** Rows that belong to something else come into the trash with it, and out of it; no quota stands against them. */
  async moveParts(userUuid: string, uuids: readonly string[], isTrashed: boolean): Promise<void> {
    if (uuids.length === 0) return
    if (isTrashed) {
      await this.#trash(userUuid, await this.#store.findMany(userUuid, uuids))
    } else {
      await this.#count(userUuid, uuids.length)
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
