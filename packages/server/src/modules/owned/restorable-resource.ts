import { currentRequester } from '../../net/admission/gate.ts'
import type { TrashType } from '@waymark/contract'
import { AppError } from '../../net/errors.ts'
import type { EventData, Items } from './events.ts'
import { bumpTotal } from '../../storage/db/totals.ts'
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

/** The stored total of rows in the trash. */
export const TRASH_TOTAL = 'trash'

type Change = 'created' | 'edited' | 'removed' | 'restored'

/**
 * An owned resource whose changes are reported by webhooks and whose rows are removed in two steps. A row in the trash is not
 * served, but keeps its names and files; erasing deletes it with them.
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

  /** Adds the acting user, which services do not know; null for the command line and background jobs. */
  override newRow(workspaceUuid: string): NewRow & { created_by: string | null; trashed_at: number } {
    return { ...super.newRow(workspaceUuid), created_by: currentRequester().user ?? null, trashed_at: 0 }
  }

  /** Presents a created or edited row and records the event; inside the write that made the change. */
  async record(change: 'created' | 'edited', row: Row): Promise<Resource> {
    const answer = await this.present(row.workspace_uuid, row)
    await this.#emit(row.workspace_uuid, change, () => [answer])
    return answer
  }

  /** Webhooks report changes of other resources, but not of webhooks. */
  async #emit(workspaceUuid: string, change: Change, items: Items): Promise<void> {
    const { type } = this.#kind
    if (type !== 'webhook') await this.#deps.events.record(workspaceUuid, `${type}.${change}`, items)
  }

  protected override async removeRows(
    workspaceUuid: string,
    rows: readonly Row[],
    { permanent }: Removal,
  ): Promise<void> {
    const at = await this.#trash(workspaceUuid, rows)
    await (permanent === true ? this.eraseRows(workspaceUuid, rows) : this.#enter(workspaceUuid, rows, at))
  }

  /** Lists rows moved to the trash; their parts are found through them. */
  async #enter(workspaceUuid: string, rows: readonly Row[], at: number): Promise<void> {
    const { db, trash } = this.#deps
    const { type, label } = this.#kind
    await trash.insert(
      rows.map((row) => ({
        uuid: row.uuid,
        workspace_uuid: workspaceUuid,
        type,
        label: label(row),
        trashed_at: at,
      })),
    )
    await bumpTotal(db, workspaceUuid, TRASH_TOTAL, rows.length)
  }

  async #trash(workspaceUuid: string, rows: readonly Row[]): Promise<number> {
    const { moved } = this.#kind
    const at = this.#deps.now()
    const uuids = rows.map(({ uuid }) => uuid)
    if ((await this.#store.moveToTrash(workspaceUuid, uuids, at)) !== uuids.length)
      throw new AppError('conflict')
    await this.count(workspaceUuid, -uuids.length)
    await moved?.(workspaceUuid, rows, true)
    await this.#emit(workspaceUuid, 'removed', () => uuids.map((uuid) => ({ uuid })))
    return at
  }

  async restore(workspaceUuid: string, uuids: readonly string[]): Promise<void> {
    const { total, restoring } = this.#kind
    if (total !== null) await this.#deps.quotas.take(workspaceUuid, total, uuids.length)
    await restoring?.(workspaceUuid, uuids.length)
    await this.#putBack(workspaceUuid, uuids)
  }

  async #putBack(workspaceUuid: string, uuids: readonly string[]): Promise<void> {
    const { moved, presenterOf } = this.#kind
    if ((await this.#store.moveToTrash(workspaceUuid, uuids, 0)) !== uuids.length)
      throw new AppError('conflict')
    const rows = await this.#store.findMany(workspaceUuid, uuids)
    await moved?.(workspaceUuid, rows, false)
    await this.#emit(workspaceUuid, 'restored', async () => rows.map(await presenterOf(workspaceUuid, rows)))
  }

  /** Moves rows that belong to another resource into and out of the trash with it, ignoring quotas. */
  async moveParts(workspaceUuid: string, uuids: readonly string[], isTrashed: boolean): Promise<void> {
    if (uuids.length === 0) return
    if (isTrashed) {
      await this.#trash(workspaceUuid, await this.#store.findMany(workspaceUuid, uuids))
    } else {
      await this.count(workspaceUuid, uuids.length)
      await this.#putBack(workspaceUuid, uuids)
    }
  }

  /** Erases rows that belong to another resource, while that stays. */
  async endParts(workspaceUuid: string, uuids: readonly string[]): Promise<void> {
    await this.moveParts(workspaceUuid, uuids, true)
    await this.erase(workspaceUuid, uuids)
  }
}
