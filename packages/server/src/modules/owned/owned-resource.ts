import { AppError } from '../../net/errors.ts'
import { readTotal } from '../../storage/db/totals.ts'
import {
  isUnfiltered,
  type Listed,
  type ListFilter,
  type ListOrder,
  type ListRequest,
  type ListWindow,
  listWindow,
  readPage,
  toListed,
  wholeCount,
} from './listing.ts'
import type { NewRow, OwnedDependencies, OwnedKind, OwnedRow, OwnedStore, Removal } from './owned-kind.ts'
import { changeTime } from './owned-rows.ts'

export type { OwnedDependencies }

const ERASED_AT_ONCE = 200
/** More than any account has of resources that are listed without pages. */
const EVERY = 1_000_000

type Beyond<Filter> = Omit<Filter, keyof ListFilter>

/** The filters of a list beyond those of every list. */
type Narrowed<Filter> =
  Partial<Beyond<Filter>> extends Beyond<Filter> ? [narrowed?: Beyond<Filter>] : [narrowed: Beyond<Filter>]

const missing = (noun: string, uuid?: string): AppError =>
  new AppError('not_found', { message: `There is no such ${noun}${uuid === undefined ? '' : `: ${uuid}`}` })

/** The row, or 404: rows of other users or in the trash count as missing. */
export async function findOwned<Row>(
  store: { find(workspaceUuid: string, uuid: string): Promise<Row | undefined> },
  workspaceUuid: string,
  uuid: string,
  noun: string,
): Promise<Row> {
  const row = await store.find(workspaceUuid, uuid)
  if (row === undefined) throw missing(noun)
  return row
}

/** Common functions of owned resources: find, list, edit, remove and erase. */
export class OwnedResource<Row extends OwnedRow, Resource, Filter extends ListFilter = ListFilter> {
  readonly #deps: OwnedDependencies
  readonly #store: OwnedStore<Row, Filter>
  readonly #kind: OwnedKind<Row, Resource>

  constructor(deps: OwnedDependencies, store: OwnedStore<Row, Filter>, kind: OwnedKind<Row, Resource>) {
    this.#deps = deps
    this.#store = store
    this.#kind = kind
  }

  find(workspaceUuid: string, uuid: string): Promise<Row> {
    return findOwned(this.#store, workspaceUuid, uuid, this.#kind.noun)
  }

  async get(workspaceUuid: string, uuid: string): Promise<Resource> {
    return this.present(workspaceUuid, await this.find(workspaceUuid, uuid))
  }

  /** Rows by uuid, for responses that show them. */
  async findMany(workspaceUuid: string, uuids: readonly string[]): Promise<Map<string, Row>> {
    const rows = await this.#store.findMany(workspaceUuid, uuids)
    return new Map(rows.map((row) => [row.uuid, row]))
  }

  async list(
    workspaceUuid: string,
    request: ListRequest & ListOrder,
    ...[narrowed]: Narrowed<Filter>
  ): Promise<Listed<Resource>> {
    const asked = this.#windowOf(request, narrowed)
    const valueOf = (row: Row): number => this.#store.sortValue(row, asked.sort)
    const { rows, window } = await readPage(
      asked,
      (part) => this.#store.list(workspaceUuid, part),
      (row) => ({ value: valueOf(row), uuid: row.uuid }),
    )
    const isWhole =
      isUnfiltered(window) && Object.values(narrowed ?? {}).every((value) => value === undefined)
    const { total: kept } = this.#kind
    const total =
      isWhole && kept !== null
        ? await readTotal(this.#deps.db, workspaceUuid, kept)
        : (wholeCount(rows, window) ?? (await this.#store.count(workspaceUuid, window)))
    const present = await this.#kind.presenterOf(workspaceUuid, rows)
    return toListed(rows, window, total, present, valueOf)
  }

  /** All of them, newest first; for resources of which an account has few. */
  async listAll(workspaceUuid: string, ...[narrowed]: Narrowed<Filter>): Promise<Resource[]> {
    const rows = await this.#store.list(workspaceUuid, this.#windowOf({ limit: EVERY }, narrowed))
    return rows.map(await this.#kind.presenterOf(workspaceUuid, rows))
  }

  #windowOf(request: ListRequest & ListOrder, narrowed: object | undefined): ListWindow & Filter {
    // `narrowed` has the filters beyond those of every list.
    return { ...listWindow(request, request), ...narrowed } as unknown as ListWindow & Filter
  }

  async present(workspaceUuid: string, row: Row): Promise<Resource> {
    const present = await this.#kind.presenterOf(workspaceUuid, [row])
    return present(row)
  }

  /** The columns of every new row. */
  newRow(workspaceUuid: string): NewRow {
    const at = this.#deps.now()
    return { uuid: this.#deps.newId(), workspace_uuid: workspaceUuid, created_at: at, updated_at: at }
  }

  /** Writes an edit, unless another one was faster; inside a write. Returns the new row. */
  async update(seen: Row, changes: Partial<Row>): Promise<Row> {
    const dated = { ...changes, updated_at: changeTime(this.#deps.now(), seen.updated_at) }
    if (!(await this.#store.update(seen, dated))) throw new AppError('conflict')
    return { ...seen, ...dated }
  }

  /** Removes all of them or none. */
  async remove(workspaceUuid: string, removal: Removal): Promise<{ uuid: string } | { uuids: string[] }> {
    const { uuid, uuids } = removal
    const named = [...new Set(uuids ?? [uuid ?? ''])]
    await this.#deps.db.write(async () => {
      const rows = await this.#findAll(workspaceUuid, named, uuids != null)
      await this.#kind.rejectParts?.(rows)
      await this.removeRows(workspaceUuid, rows, removal)
    })
    return uuids == null ? { uuid: uuid ?? '' } : { uuids: named }
  }

  async #findAll(workspaceUuid: string, uuids: readonly string[], isList: boolean): Promise<Row[]> {
    const { noun } = this.#kind
    const found = await this.findMany(workspaceUuid, uuids)
    return uuids.map((uuid) => {
      const row = found.get(uuid)
      if (row === undefined || (row.trashed_at ?? 0) !== 0) throw missing(noun, isList ? uuid : undefined)
      return row
    })
  }

  /** Takes rows out of use; inside a write. */
  protected async removeRows(workspaceUuid: string, rows: readonly Row[], _removal: Removal): Promise<void> {
    await this.count(workspaceUuid, -rows.length)
    await this.eraseRows(workspaceUuid, rows)
  }

  /** Updates the total, ignoring quotas. */
  protected async count(workspaceUuid: string, change: number): Promise<void> {
    const { total } = this.#kind
    if (total !== null) await this.#deps.quotas.adjust(workspaceUuid, total, change)
  }

  async erase(workspaceUuid: string, uuids: readonly string[]): Promise<void> {
    if (uuids.length > 0)
      await this.eraseRows(workspaceUuid, await this.#store.findMany(workspaceUuid, uuids))
  }

  protected async eraseRows(workspaceUuid: string, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return
    await this.#kind.erasing?.(workspaceUuid, rows)
    await this.#store.remove(
      workspaceUuid,
      rows.map(({ uuid }) => uuid),
    )
  }

  /** Erases a batch of a deleted user's rows; false when none is left. */
  async eraseSome(workspaceUuid: string): Promise<boolean> {
    const rows = await this.#store.someOf(workspaceUuid, ERASED_AT_ONCE)
    await this.eraseRows(workspaceUuid, rows)
    return rows.length > 0
  }
}
