import type { TrashType } from '@waymark/contract'
import { type Data, MOST_ERASED_AT_ONCE, type Query, TRASH_DAYS } from '@waymark/contract/schemas'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import { bumpTotal, readTotal } from '../../storage/db/totals.ts'
import { DAY_MS, isoTime } from '../../work/times.ts'
import { isUnfiltered, type Listed, listWindow, toListed, wholeCount } from '../owned/listing.ts'
import type { RecordOwn } from '../module.ts'
import { type Restorable, TRASH_TOTAL } from '../owned/restorable-resource.ts'
import type { TrashRow, TrashStore } from '../owned/trash.store.ts'

type TrashItem = Data<'trash'>[number]

export interface TrashDependencies {
  readonly db: Database
  readonly store: TrashStore
  readonly resources: readonly Restorable[]
  /** Stores an audit log entry about erased resources. */
  readonly record: RecordOwn
  readonly now: () => number
}

const KEPT_MS = TRASH_DAYS * DAY_MS
/** Erased in one transaction, so that on SQLite no other write waits long. */
const ERASED_AT_ONCE = MOST_ERASED_AT_ONCE

/** Removed resources of all kinds that can be restored. */
export class TrashService {
  readonly #deps: TrashDependencies
  readonly #resources: ReadonlyMap<string, Restorable>

  constructor(deps: TrashDependencies) {
    this.#deps = deps
    this.#resources = new Map(deps.resources.map((resource) => [resource.type, resource]))
  }

  /** Sorted by the time of removal, latest first. `readable`: the types that the caller may see; by default all. */
  async list(
    workspaceUuid: string,
    { type, ...request }: Query<'trash'>,
    readable?: readonly TrashType[],
  ): Promise<Listed<TrashItem>> {
    const { db, store } = this.#deps
    const types = type === undefined ? readable : [type].filter((one) => readable?.includes(one) !== false)
    const window = { ...listWindow(request, { sort: 'removed_at' }), types }
    const rows = await store.list(workspaceUuid, window)
    const isWhole = isUnfiltered(window) && types === undefined
    const total = isWhole
      ? await readTotal(db, workspaceUuid, TRASH_TOTAL)
      : (wholeCount(rows, window) ?? (await store.count(workspaceUuid, window)))
    return toListed(rows, window, total, present, ({ trashed_at }) => trashed_at)
  }

  /** The types of resources; unknown ones are missing. */
  typesOf(workspaceUuid: string, uuids: readonly string[]): Promise<TrashType[]> {
    return this.#deps.store.typesOf(workspaceUuid, uuids)
  }

  /** Restores all of them or none. */
  restore(workspaceUuid: string, uuids: readonly string[]): Promise<{ uuids: string[] }> {
    return this.#takeAll(workspaceUuid, uuids, (resource, ofKind) => resource.restore(workspaceUuid, ofKind))
  }

  /** Erases before their time is over: all of them or none. */
  erase(workspaceUuid: string, uuids: readonly string[]): Promise<{ uuids: string[] }> {
    return this.#takeAll(workspaceUuid, uuids, (resource, ofKind) => resource.erase(workspaceUuid, ofKind))
  }

  /** Takes the given rows out of the trash, and processes their resources. */
  async #takeAll(
    workspaceUuid: string,
    uuids: readonly string[],
    work: (resource: Restorable, uuids: readonly string[]) => Promise<void>,
  ): Promise<{ uuids: string[] }> {
    const asked = [...new Set(uuids)]
    await this.#deps.db.write(async () => {
      const rows = await this.#take(workspaceUuid, asked)
      const found = new Set(rows.map(({ uuid }) => uuid))
      const missing = asked.find((uuid) => !found.has(uuid))
      if (missing !== undefined)
        throw new AppError('not_found', { message: `There is nothing in the trash with the uuid ${missing}` })
      await this.#eachKind(rows, work)
    })
    return { uuids: asked }
  }

  /** Erases resources after 30 days in the trash, in batches. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { db, store, record, now } = this.#deps
    const before = now() - KEPT_MS
    while (!signal.aborted) {
      const oldest = await store.oldest(before, ERASED_AT_ONCE)
      if (oldest.length === 0) return
      const byUser = Map.groupBy(oldest, ({ workspace_uuid }) => workspace_uuid)
      for (const [workspaceUuid, rows] of byUser) {
        await db.write(async () => {
          // Without those that were restored meanwhile.
          const taken = await this.#take(
            workspaceUuid,
            rows.map(({ uuid }) => uuid),
          )
          await this.#eachKind(taken, (resource, uuids) => resource.erase(workspaceUuid, uuids))
          const erased = taken.map(({ uuid }) => uuid)
          if (erased.length > 0) await record(workspaceUuid, 'erase', erased)
        })
      }
    }
  }

  async #take(workspaceUuid: string, uuids: readonly string[]): Promise<TrashRow[]> {
    const rows = await this.#deps.store.take(workspaceUuid, uuids)
    if (rows.length > 0) await bumpTotal(this.#deps.db, workspaceUuid, TRASH_TOTAL, -rows.length)
    return rows
  }

  async #eachKind(
    rows: readonly TrashRow[],
    work: (resource: Restorable, uuids: readonly string[]) => Promise<void>,
  ): Promise<void> {
    for (const [type, ofKind] of Map.groupBy(rows, (row) => row.type)) {
      const resource = this.#resources.get(type)
      if (resource === undefined) throw new Error(`The trash has a row of an unknown kind: ${type}`)
      await work(
        resource,
        ofKind.map(({ uuid }) => uuid),
      )
    }
  }
}

const present = (row: TrashRow): TrashItem => ({
  uuid: row.uuid,
  type: row.type as TrashType,
  label: row.label,
  removed_at: isoTime(row.trashed_at),
  erased_at: isoTime(row.trashed_at + KEPT_MS),
})
