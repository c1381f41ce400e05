import type { Column } from '@waymark/contract/link-files'
import type { Quotas } from '../../accounts/users/quotas.ts'
import type { Changes } from '../../net/bus/changes.ts'
import { actingFor, currentRequester } from '../../net/admission/gate.ts'
import { AppError } from '../../net/errors.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Batch, BatchJob, CheckTime, Outcome, Step } from '../../work/jobs/batch-jobs.ts'
import { nextTurn } from '../../work/turns.ts'
import type { Events } from '../owned/events.ts'
import { ImportPlanner, type Plan, type PlannerDependencies } from './import-planner.ts'
import type { RowProblem } from './import-rules.ts'
import { endWaiting, fileOwner, foundBy, keyContext, RUNNABLE_MS, withProblems } from './imports.service.ts'
import type { ImportRow } from './imports.store.ts'
import { StoredLines } from './link-lines.ts'

export interface ImportJobDependencies extends PlannerDependencies {
  readonly db: Database
  readonly blobs: BlobReferences
  readonly secrets: Secrets
  readonly events: Events
  readonly quotas: Quotas
  readonly changes: Changes
  /** Whether the disk has room for more rows. */
  readonly hasRoom: () => boolean
  readonly now: () => number
}

/** How often a batch starts again because a short code was taken meanwhile. */
const ATTEMPTS = 5

const TAKEN_MEANWHILE = 'A short code was taken while the import ran; nothing was imported'

/**
 * Imports links. An import's position is updated in the transaction that creates its links, so after a killed process it
 * continues where it was, and two processes cannot create a link twice.
 */
export class ImportJob implements BatchJob<ImportRow> {
  readonly #deps: ImportJobDependencies
  readonly name = 'imports'
  readonly lane = 'imports'
  readonly operation = 'importLinks'

  constructor(deps: ImportJobDependencies) {
    this.#deps = deps
  }

  next(): Promise<ImportRow | undefined> {
    return this.#deps.store.next()
  }

  postpone(row: ImportRow): Promise<boolean> {
    return this.#deps.store.update(row, { turn_at: this.#deps.now() })
  }

  isUndo({ state }: ImportRow): boolean {
    return state === 'undoing'
  }

  fail(row: ImportRow, error: string): Promise<undefined> {
    return this.#startUndo(row, error)
  }

  async prepare(row: ImportRow, batch: Batch): Promise<Step> {
    return this.isUndo(row) ? this.#undoStep(row, batch) : this.#importStep(row, batch)
  }

  async #importStep(seen: ImportRow, batch: Batch): Promise<Step> {
    const { blobs, secrets } = this.#deps
    let row = seen
    const { file_hash, file_key } = row
    if (file_hash === null || file_key === null) return () => this.#fileIsGone(row)
    const key = secrets.open(file_key, keyContext(row.uuid))
    const lines = new StoredLines((range) => blobs.get(file_hash, range), key)
    const columns = JSON.parse(row.columns) as Column[]
    const planner = new ImportPlanner(this.#deps, row, columns)
    if (row.read_bytes === 0 && (await this.#failsAtOnce(row, lines, planner)))
      return () => Promise.resolve('ended')
    return async () => {
      if (!this.#deps.hasRoom()) return 'waits'
      const read = await lines.linksFrom(row.read_bytes, batch.rows)
      if (read === undefined) return this.#fileIsGone(row)
      const { links, end } = read
      if (links.length === 0) {
        await this.#finish(row, { state: 'done' })
        return 'ended'
      }
      // Visitors are served between reading a batch and planning it.
      await nextTurn()
      const next = await this.#importBatch(row, links.length, end, batch, () => planner.plan(links))
      if (next === undefined) return 'ended'
      row = next
      return 'more'
    }
  }

  async #fileIsGone(row: ImportRow): Promise<Outcome> {
    await this.#finish(
      { ...row, file_hash: null },
      { state: 'failed', error: 'The uploaded file no longer exists' },
    )
    return 'ended'
  }

  /** With `fail` nothing is created if a short code is taken, so all are looked up first. */
  async #failsAtOnce(row: ImportRow, lines: StoredLines, planner: ImportPlanner): Promise<boolean> {
    if (row.on_taken === 'skip' || row.on_taken === 'rename') return false
    const survey = await planner.survey(lines)
    if (survey.failing === 0) return false
    const error = `${survey.failing} short code(s) are taken; nothing was imported`
    await this.#finish(row, { ...foundBy(survey), state: 'failed', error })
    return true
  }

  /** Creates a batch of links. Undefined: the import has ended, or another process has continued it. */
  async #importBatch(
    row: ImportRow,
    count: number,
    end: number,
    batch: Batch,
    planOf: () => Promise<Plan>,
  ): Promise<ImportRow | undefined> {
    for (let left = ATTEMPTS; ; left--) {
      const plan = await planOf()
      if (plan.taken.length > 0) return this.#startUndo(row, TAKEN_MEANWHILE, plan.taken)
      try {
        return await this.#commitBatch(row, count, end, plan, batch)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'quota_reached') return this.#startUndo(row, error.message)
        if (error.code !== 'code_taken' || left === 0) throw error
      }
    }
  }

  async #commitBatch(
    row: ImportRow,
    count: number,
    end: number,
    plan: Plan,
    batch: Batch,
  ): Promise<ImportRow | undefined> {
    const { store, links, now } = this.#deps
    const at = now()
    const changes = {
      ...withProblems(row, [...plan.problems, ...plan.leftOut]),
      read_bytes: end,
      processed: row.processed + count,
      created: row.created + plan.links.length,
      skipped: row.skipped + count - plan.links.length,
      renamed: row.renamed + plan.renamed,
      updated_at: Math.max(at, row.updated_at + 1),
      turn_at: at,
    }
    const user = row.created_by ?? undefined
    const isDone = await actingFor({ ...currentRequester(), user }, () =>
      batch.write(async (checkTime) => {
        if (!(await store.update(row, changes))) return false
        const created = await links.createImported(row.workspace_uuid, plan.links, checkTime)
        await store.addLinks(
          row.uuid,
          created.map(({ uuid }) => uuid),
        )
        return true
      }),
    )
    return isDone ? { ...row, ...changes } : undefined
  }

  /** An import that fails is removed completely. */
  async #startUndo(row: ImportRow, error: string, problems: readonly RowProblem[] = []): Promise<undefined> {
    const { db, store, now } = this.#deps
    await db.write(() =>
      store.update(row, { state: 'undoing', error, ...withProblems(row, problems), updated_at: now() }),
    )
    return undefined
  }

  #undoStep(row: ImportRow, batch: Batch): Step {
    const { store, now } = this.#deps
    return async () => {
      const isLeft = await batch.write(async (checkTime) => {
        await store.update(row, { turn_at: now() })
        return removeImported(this.#deps, row, batch.rows, checkTime)
      })
      if (isLeft) return 'more'
      await this.#finish(row, { state: row.error === null ? 'undone' : 'failed', created: 0 })
      return 'ended'
    }
  }

  /**
   * The links stay recorded, so that the import can be undone. The file of a failed import stays for a day, so that it can be
   * run again with another choice.
   */
  async #finish(row: ImportRow, changes: Partial<ImportRow>): Promise<void> {
    const { db, store, blobs, now } = this.#deps
    await db.write(async () => {
      const at = Math.max(now(), row.updated_at + 1)
      const isKept = changes.state === 'failed' && row.file_hash !== null
      if (isKept) {
        const waiting = await store.waiting({ workspaceUuid: row.workspace_uuid })
        await endWaiting(
          this.#deps,
          waiting.filter(({ state }) => state === 'failed'),
        )
      }
      const file = isKept ? {} : { file_hash: null, file_key: null }
      const isMine = await store.update(row, { ...changes, ...file, finished_at: at, updated_at: at })
      if (isMine && !isKept) await blobs.release(fileOwner(row.uuid))
    })
  }
}

/**
 * Removes a batch of the links that an import created, inside a write; false when none is left. A short code that was never
 * clicked becomes free, so that the corrected file can be imported. One that was clicked may be known to people, so it
 * returns 410 from now on, like that of any deleted link. Links in the trash stay there.
 */
async function removeImported(
  deps: ImportJobDependencies,
  row: ImportRow,
  take: number,
  checkTime: CheckTime,
): Promise<boolean> {
  const { db, store, tombstones, events, quotas, changes } = deps
  const uuids = await store.someLinks(row.uuid, take)
  if (uuids.length === 0) return false
  const links = await db.sql
    .selectFrom('links')
    .select(['uuid', 'clicks', 'bot_clicks'])
    .where('uuid', 'in', uuids)
    .where('workspace_uuid', '=', row.workspace_uuid)
    .where('trashed_at', '=', 0)
    .execute()
  const present = links.map(({ uuid }) => uuid)
  if (present.length > 0) {
    const clicked = new Set(links.flatMap((link) => (link.clicks + link.bot_clicks > 0 ? [link.uuid] : [])))
    const names = await db.sql
      .selectFrom('short_codes')
      .select(['domain', 'short_code', 'link_uuid'])
      .where('link_uuid', 'in', present)
      .execute()
    const known = names.filter(({ link_uuid }) => clicked.has(link_uuid))
    await tombstones.add(known.map(({ domain, short_code }) => ['code', domain, short_code]))
    checkTime()
    await db.sql.deleteFrom('links').where('uuid', 'in', present).execute()
    checkTime()
    await events.record(row.workspace_uuid, 'link.removed', () => present.map((uuid) => ({ uuid })))
    db.afterCommit(() => names.forEach(({ domain, short_code }) => changes.target(domain, short_code)))
  }
  await store.removeLinks(row.uuid, uuids)
  checkTime()
  // Last, because on PostgreSQL other writes of the account wait from here to the commit.
  if (present.length > 0) await quotas.adjust(row.workspace_uuid, 'links', -present.length)
  return true
}

const HOUR_MS = 3_600_000
/** After this time an ended import can no longer be undone. */
const ENDED_MS = 90 * 24 * HOUR_MS
const AT_ONCE = 20
const LINKS_AT_ONCE = 500

/** Deletes imports that were never run, and those that ended long ago. Their links stay. */
export async function sweepImports(
  { db, store, blobs, now }: Pick<ImportJobDependencies, 'db' | 'store' | 'blobs' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const at = now()
  const waiting = await store.waiting({ beforeMs: at - RUNNABLE_MS })
  await db.write(() => endWaiting({ store, blobs }, waiting))
  for (const { uuid } of await store.olderThan(['done', 'failed', 'undone'], at - ENDED_MS, AT_ONCE)) {
    for (let isLeft = true; isLeft && !signal.aborted;)
      isLeft = await db.write(async () => {
        const uuids = await store.someLinks(uuid, LINKS_AT_ONCE)
        if (uuids.length > 0) await store.removeLinks(uuid, uuids)
        return uuids.length > 0
      })
    if (signal.aborted) return
    await db.write(async () => {
      await blobs.release(fileOwner(uuid))
      await store.remove(uuid)
    })
  }
}
