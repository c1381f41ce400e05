import type { Body, Data } from '@waymark/contract/schemas'
import { type Caller, jobCallerOf } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import { isoTime, isoTimeOrNull } from '../../work/times.ts'
import type { DomainService } from '../domains/domains.service.ts'
import type { Cause } from '../links/link-history.ts'
import { type LinkFilter, linkFilterOf } from '../links/link-search.ts'
import { type Listed, type ListFilter, type ListRequest, listWindow, toListed } from '../owned/listing.ts'
import { changeTime } from '../owned/owned-rows.ts'
import type { BulkEditRow, BulkEditStore } from './bulk-edits.store.ts'
import { type BulkChange, changeOf, type Done } from './link-changes.ts'
import { type LinkWriterDependencies, lockLinks, writeChanges } from './link-writer.ts'

type BulkEdit = Data<'bulkEditLinks'>
type Request = Body<'bulkEditLinks'>
type BulkFilter = NonNullable<Request['filter']>

export interface BulkEditDependencies extends LinkWriterDependencies {
  readonly store: BulkEditStore
  readonly domains: DomainService
  readonly newId: () => string
  /** Called when there is something to run. */
  readonly wake: () => void
}

/** Number of bulk edits of an account that can run at the same time. */
const MAX_OPEN = 3
/** Number of an account's last bulk edits that can be undone. */
const UNDOABLE = 5
const FORGOTTEN_AT_ONCE = 2_000

/** Changes many links: listed ones at once, all or none; those of a filter in the background, in batches. */
export class BulkEditService {
  readonly #deps: BulkEditDependencies

  constructor(deps: BulkEditDependencies) {
    this.#deps = deps
  }

  /** Counts the links of a filter before the write, because others would wait: 100,000 take a tenth of a second. */
  async prepare(caller: Caller, request: Request): Promise<BulkEditRow> {
    const { linkStore, domains } = this.#deps
    const { workspaceUuid } = caller
    const row = this.#rowOf(caller, request)
    if (request.uuids != null) return row
    await this.#rejectTooMany(workspaceUuid)
    const filter = bulkFilterOf(request.filter ?? {}, row.created_at, domains)
    return { ...row, total: await linkStore.count(workspaceUuid, filter) }
  }

  create(row: BulkEditRow, { uuids, change }: Request): Promise<BulkEdit> {
    return uuids == null ? this.#begin(row) : this.#changeNow(row, uuids, change)
  }

  #begin(row: BulkEditRow): Promise<BulkEdit> {
    const { db, store, wake } = this.#deps
    return db.write(async () => {
      await this.#forgetOld(row.workspace_uuid)
      await this.#rejectTooMany(row.workspace_uuid)
      await store.insert(row)
      db.afterCommit(wake)
      return present(row)
    })
  }

  async #rejectTooMany(workspaceUuid: string): Promise<void> {
    if ((await this.#deps.store.countOpen(workspaceUuid)) >= MAX_OPEN)
      throw new AppError('too_many_bulk_edits')
  }

  #changeNow(row: BulkEditRow, uuids: readonly string[], change: BulkChange): Promise<BulkEdit> {
    return this.#deps.db.write(async () => {
      await this.#forgetOld(row.workspace_uuid)
      return this.#changeNamed(row, uuids, change)
    })
  }

  async #changeNamed(row: BulkEditRow, uuids: readonly string[], change: BulkChange): Promise<BulkEdit> {
    const { store, now } = this.#deps
    const links = await this.#findAll(row.workspace_uuid, [...new Set(uuids)])
    await store.insert(row)
    const changed = await changeLinks(this.#deps, row, links, change)
    const at = now()
    const ended: Partial<BulkEditRow> = {
      state: 'done',
      total: links.length,
      processed: links.length,
      changed,
      skipped: links.length - changed,
      finished_at: at,
      updated_at: changeTime(at, row.updated_at),
    }
    await store.update(row, ended)
    return present({ ...row, ...ended })
  }

  async #findAll(workspaceUuid: string, uuids: readonly string[]): Promise<LinkRow[]> {
    const rows = await lockLinks(this.#deps.db, workspaceUuid, uuids)
    const found = new Map(rows.map((row) => [row.uuid, row]))
    return uuids.map((uuid) => {
      const row = found.get(uuid)
      if (row === undefined || row.trashed_at !== 0)
        throw new AppError('not_found', { message: `There is no such link: ${uuid}` })
      return row
    })
  }

  async list(workspaceUuid: string, request: ListRequest): Promise<Listed<BulkEdit>> {
    const { store } = this.#deps
    const window = listWindow(request)
    const rows = await store.list(workspaceUuid, window)
    return toListed(rows, window, await store.count(workspaceUuid, window), present)
  }

  /** Stops a bulk edit and undoes its changes in the background. */
  async undo(workspaceUuid: string, uuid: string): Promise<BulkEdit> {
    const { db, store, now, wake } = this.#deps
    return db.write(async () => {
      const row = await store.find(workspaceUuid, uuid)
      if (row === undefined) throw new AppError('not_found', { message: 'There is no such bulk edit' })
      if (row.undoable === 0 || row.state === 'undoing') throw new AppError('bulk_edit_state')
      const changes = {
        state: 'undoing',
        error: null,
        finished_at: null,
        updated_at: changeTime(now(), row.updated_at),
      } as const
      if (!(await store.update(row, changes))) throw new AppError('conflict')
      db.afterCommit(wake)
      return present({ ...row, ...changes })
    })
  }

  /** Only the last few can be undone; data of older ones is deleted gradually. */
  async #forgetOld(workspaceUuid: string): Promise<void> {
    const { store } = this.#deps
    for (const row of await store.endedBefore(workspaceUuid, UNDOABLE)) {
      const links = await store.someLinks(row.uuid, FORGOTTEN_AT_ONCE)
      await store.removeLinks(
        row.uuid,
        links.map(({ link_uuid }) => link_uuid),
      )
      if (row.undoable === 1) await store.update(row, { undoable: 0 })
      if (links.length > 0) return
    }
  }

  #rowOf(caller: Caller, { filter, change }: Request): BulkEditRow {
    const { now, newId } = this.#deps
    const [uuid, at] = [newId(), now()]
    return {
      uuid,
      ...jobCallerOf(caller),
      state: 'running',
      filter: filter == null ? null : JSON.stringify(filter),
      change: JSON.stringify(change),
      // Ids grow with time: links that are created from now on are not changed.
      position: uuid,
      total: 0,
      processed: 0,
      changed: 0,
      skipped: 0,
      undoable: 1,
      error: null,
      turn_at: at,
      created_at: at,
      updated_at: at,
      finished_at: null,
    }
  }
}

/** The links of a bulk edit; states are evaluated at the time when it began. */
export const bulkFilterOf = (
  { search, ...filter }: BulkFilter,
  nowMs: number,
  domains: DomainService,
): LinkFilter => {
  const every: ListFilter = { search: search === '' ? undefined : search, uuid: undefined }
  return { ...every, ...linkFilterOf(filter, nowMs, domains) }
}

/** Changes links and records what was done; inside a write. Returns how many were changed. */
export async function changeLinks(
  deps: Pick<BulkEditDependencies, keyof LinkWriterDependencies | 'store'>,
  row: BulkEditRow,
  links: readonly LinkRow[],
  change: BulkChange,
  pause?: () => void,
): Promise<number> {
  const record = (done: readonly { uuid: string; done: Done }[]): Promise<void> =>
    deps.store.addLinks(
      done.map(({ uuid, done: what }) => ({
        bulk_edit_uuid: row.uuid,
        link_uuid: uuid,
        done: JSON.stringify(what),
      })),
    )
  if (change.remove === true) {
    // A link that belongs to another resource is removed with it. If links are listed, that is an error.
    const uuids = (row.filter === null ? links : links.filter(({ owner_type }) => owner_type === null)).map(
      ({ uuid }) => uuid,
    )
    if (uuids.length > 0) await deps.links.owned.remove(row.workspace_uuid, { uuids })
    await record(uuids.map((uuid) => ({ uuid, done: { trashed: true } })))
    return uuids.length
  }
  const nowMs = deps.now()
  const planned = links.flatMap((link) => {
    const made = changeOf(link, change, nowMs)
    return made === undefined ? [] : [{ row: link, change: made }]
  })
  await writeChanges(deps, row.workspace_uuid, planned, causeOf(row), pause)
  await record(planned.map(({ row: { uuid }, change: { done } }) => ({ uuid, done })))
  return planned.length
}

/** Who changed the links, for their history. */
export const causeOf = ({ credential_kind, credential_uuid }: BulkEditRow): Cause =>
  credential_kind === 'key' && credential_uuid !== null
    ? { type: 'key', keyUuid: credential_uuid }
    : { type: 'dashboard' }

const present = (row: BulkEditRow): BulkEdit => {
  const change = JSON.parse(row.change) as BulkChange
  return {
    uuid: row.uuid,
    state: row.state,
    filter: row.filter === null ? null : (JSON.parse(row.filter) as Record<string, unknown>),
    change: { ...change, ...(change.expire != null && { expire: isoTime(change.expire) }) },
    total: row.total,
    processed: row.processed,
    changed: row.changed,
    skipped: row.skipped,
    error: row.error,
    undoable: row.undoable === 1 && row.state !== 'undoing',
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    finished_at: isoTimeOrNull(row.finished_at),
  }
}
