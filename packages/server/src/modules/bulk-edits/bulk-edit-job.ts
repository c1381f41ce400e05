import { AppError } from '../../net/errors.ts'
import type { BulkEditedLinkRow, LinkRow } from '../../storage/db/tables.ts'
import {
  type Batch,
  type BatchJob,
  type CheckTime,
  JobOvertaken,
  type Outcome,
  type Step,
} from '../../work/jobs/batch-jobs.ts'
import type { LinkFilter } from '../links/link-search.ts'
import { listWindow } from '../owned/listing.ts'
import type { TrashService } from '../trash/trash.service.ts'
import { type BulkEditDependencies, bulkFilterOf, causeOf, changeLinks } from './bulk-edits.service.ts'
import type { BulkEditRow } from './bulk-edits.store.ts'
import { type BulkChange, type Done, reversalOf } from './link-changes.ts'
import { lockLinks, writeChanges } from './link-writer.ts'

interface BulkEditJobDependencies extends Omit<BulkEditDependencies, 'wake' | 'newId'> {
  readonly trash: TrashService
}

/**
 * Changes many links. The position of a bulk edit is updated in the transaction that changes its links, so after a killed
 * process it continues where it was, and no link is changed twice.
 */
export class BulkEditJob implements BatchJob<BulkEditRow> {
  readonly #deps: BulkEditJobDependencies
  readonly name = 'bulk-edits'
  readonly lane = 'bulkEdits'
  readonly operation = 'bulkEditLinks'

  constructor(deps: BulkEditJobDependencies) {
    this.#deps = deps
  }

  next(): Promise<BulkEditRow | undefined> {
    return this.#deps.store.next()
  }

  postpone(row: BulkEditRow): Promise<boolean> {
    return this.#deps.store.update(row, { turn_at: this.#deps.now() })
  }

  isUndo({ state }: BulkEditRow): boolean {
    return state === 'undoing'
  }

  fail(row: BulkEditRow, error: string): Promise<void> {
    return this.#finish(row, { state: 'failed', error })
  }

  prepare(row: BulkEditRow, batch: Batch): Promise<Step> {
    const step = this.isUndo(row) ? this.#undoStep(row, batch) : this.#changeStep(row, batch)
    return Promise.resolve(() => this.#orFail(row, step))
  }

  /** Errors that the account must resolve end the bulk edit; all others are retried. */
  async #orFail(row: BulkEditRow, step: Step): Promise<Outcome> {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'quota_reached') throw error
      await this.fail(row, error.message)
      return 'ended'
    }
  }

  #changeStep(seen: BulkEditRow, batch: Batch): Step {
    const { db, domains, store, now } = this.#deps
    const change = JSON.parse(seen.change) as BulkChange
    const filter = bulkFilterOf(JSON.parse(seen.filter ?? '{}') as object, seen.created_at, domains)
    let row = seen
    let ahead: readonly string[] = []
    return async () => {
      if (ahead.length === 0) ahead = await this.#findAfter(row, filter)
      const uuids = ahead.slice(0, batch.rows)
      const last = uuids.at(-1)
      if (last === undefined) {
        await this.#finish(row, { state: 'done' })
        return 'ended'
      }
      const next = await batch.write(async (checkTime) => {
        await this.#claim(row)
        const present = (await lockLinks(db, row.workspace_uuid, uuids)).filter(isInUse)
        const changed = await changeLinks(this.#deps, row, present, change, checkTime)
        const at = now()
        const progress = {
          position: last,
          processed: row.processed + uuids.length,
          changed: row.changed + changed,
          skipped: row.skipped + uuids.length - changed,
          updated_at: Math.max(at, row.updated_at + 1),
          turn_at: at,
        }
        await store.update(row, progress)
        return { ...row, ...progress }
      })
      row = next
      ahead = ahead.slice(uuids.length)
      return 'more'
    }
  }

  /** First in each batch: no link is recorded for a bulk edit that was deleted with its account. */
  async #claim(row: BulkEditRow): Promise<void> {
    const { store, now } = this.#deps
    if (!(await store.update(row, { turn_at: now() }))) throw new JobOvertaken()
  }

  /** The next links of a filter; outside of the write, because a search may read many links to find some. */
  async #findAfter({ workspace_uuid, position }: BulkEditRow, filter: LinkFilter): Promise<string[]> {
    const { db, linkStore } = this.#deps
    const window = { ...listWindow({}), ...filter, take: FOUND_AT_ONCE, after: { value: 0, uuid: position } }
    const found = await db.read(() => linkStore.list(workspace_uuid, window))
    return found.map(({ uuid }) => uuid)
  }

  #undoStep(row: BulkEditRow, batch: Batch): Step {
    const { store } = this.#deps
    return async () => {
      const isLeft = await batch.write(async (checkTime) => {
        await this.#claim(row)
        const done = await store.someLinks(row.uuid, batch.rows)
        await this.#takeBack(row, done, checkTime)
        await store.removeLinks(
          row.uuid,
          done.map(({ link_uuid }) => link_uuid),
        )
        return done.length > 0
      })
      if (isLeft) return 'more'
      await this.#finish(row, { state: 'undone', undoable: 0 })
      return 'ended'
    }
  }

  async #takeBack(row: BulkEditRow, done: readonly BulkEditedLinkRow[], checkTime: CheckTime): Promise<void> {
    const { db, trash } = this.#deps
    const uuids = done.map(({ link_uuid }) => link_uuid)
    const found = new Map((await lockLinks(db, row.workspace_uuid, uuids)).map((link) => [link.uuid, link]))
    const known = done.flatMap(({ link_uuid, done: text }) => {
      const link = found.get(link_uuid)
      return link === undefined ? [] : [{ link, done: JSON.parse(text) as Done }]
    })
    const trashed = known.filter((each) => each.done.trashed === true && !isInUse(each.link))
    if (trashed.length > 0)
      await trash.restore(
        row.workspace_uuid,
        trashed.map(({ link }) => link.uuid),
      )
    await writeChanges(this.#deps, row.workspace_uuid, known.flatMap(reversed), causeOf(row), checkTime)
  }

  async #finish(row: BulkEditRow, changes: Partial<BulkEditRow>): Promise<void> {
    const { db, store, now } = this.#deps
    const at = Math.max(now(), row.updated_at + 1)
    await db.write(() => store.update(row, { ...changes, finished_at: at, updated_at: at }))
  }
}

/** Finding links costs much more than changing a few of them. */
const FOUND_AT_ONCE = 500

const isInUse = ({ trashed_at }: LinkRow): boolean => trashed_at === 0

const reversed = ({ link, done }: { readonly link: LinkRow; readonly done: Done }) => {
  const change = isInUse(link) ? reversalOf(link, done) : undefined
  return change === undefined ? [] : [{ row: link, change }]
}
