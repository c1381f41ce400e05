import type { TrashType } from '@waymark/contract'
import { AppError } from '../../net/errors.ts'
import type { EventData, Items } from './events.ts'
import { bumpTotal } from '../../storage/db/kept-totals.ts'
import type { ListFilter } from './listing.ts'
import type {
  NewRow,
  Removal,
  Restorable,
  RestorableDependencies,
  RestorableKind,
  RestorableRow,
  RestorableStore,
} from './owned-kind.ts'
import { OwnedResource } from './owned-resource.ts'

export type { Restorable, RestorableDependencies }

/** The kept total of what is in the trash. */
export const TRASH_TOTAL = 'trash'

type Change = 'created' | 'edited' | 'removed' | 'restored'

/**
 * An owned resource whose changes are reported by webhooks and whose rows are removed in two steps. A row in the trash
 * is out of use for everyone, and keeps its names and files; erasing deletes it with them.
 */
export class RestorableResource<
  Row extends RestorableRow,
  Resource extends EventData,
  Filter extends ListFilter = ListFilter,
>
  extends OwnedResource<Row, Resource, Filter>
  implements Restorable
{
  readonly #deps: RestorableDependencies
  readonly #store: RestorableStore<Row, Filter>
  readonly #kind: RestorableKind<Row, Resource>

  constructor(
    deps: RestorableDependencies,
    store: RestorableStore<Row, Filter>,
    kind: RestorableKind<Row, Resource>,
  ) {
    super(deps, store, kind)
    this.#deps = deps
    this.#store = store
    this.#kind = kind
  }

  get type(): TrashType {
    return this.#kind.type
  }

  override newRow(userUuid: string): NewRow & { trashed_at: number } {
    return { ...super.newRow(userUuid), trashed_at: 0 }
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

  protected override async removeRows(
    userUuid: string,
    rows: readonly Row[],
    { permanent }: Removal,
  ): Promise<void> {
    const at = await this.#trash(userUuid, rows)
    await (permanent === true ? this.eraseRows(userUuid, rows) : this.#enter(userUuid, rows, at))
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
    await this.count(userUuid, -uuids.length)
    await moved?.(userUuid, rows, true)
    await this.#tell(userUuid, 'removed', () => uuids.map((uuid) => ({ uuid })))
    return at
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
      await this.count(userUuid, uuids.length)
      await this.#putBack(userUuid, uuids)
    }
  }

  /** Ends rows that belong to something else for good, while that stays. */
  async endParts(userUuid: string, uuids: readonly string[]): Promise<void> {
    await this.moveParts(userUuid, uuids, true)
    await this.erase(userUuid, uuids)
  }
}
