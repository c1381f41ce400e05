import { randomBytes } from 'node:crypto'
import { withoutControls } from '@waymark/contract'
import type { Column } from '@waymark/contract/link-files'
import { type Body, type Data, MOST_LINKS_AT_ONCE } from '@waymark/contract/schemas'
import type { Quotas } from '../../accounts/users/quotas.ts'
import { type Caller, jobCallerOf } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { BlobReferences, Staged } from '../../storage/blobs/blob-references.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { isoTime, isoTimeOrNull } from '../../work/times.ts'
import type { Link } from '../links/links.service.ts'
import { type Listed, type ListRequest, listWindow, toListed } from '../owned/listing.ts'
import { changeTime } from '../owned/owned-rows.ts'
import { ImportPlanner, type Plan, type PlannerDependencies, type Survey } from './import-planner.ts'
import { type ReadFile, readUpload } from './import-reader.ts'
import type { ImportedLink, RowProblem } from './import-rules.ts'
import type { ImportRow } from './imports.store.ts'
import { MOST_PROBLEMS, placeOf } from './read-import.ts'

export type Import = Data<'runImport'>
type Upload = Body<'importLinks'>

export interface ImportDependencies extends PlannerDependencies {
  readonly db: Database
  readonly blobs: BlobReferences
  readonly secrets: Secrets
  readonly quotas: Quotas
  readonly now: () => number
  readonly newId: () => string
  /** Called when there is something to run. */
  readonly wake: () => void
}

/** A file that was read, and how to continue. */
export interface PreparedImport {
  readonly row: ImportRow
  readonly columns: readonly Column[]
  /** Links to create immediately; undefined: they are created later. */
  readonly plan: Plan | undefined
  /** The stored file, if links are created later. */
  readonly staged: Staged | undefined
}

/** Maximum number of running imports of an account. */
const MAX_RUNNING = 3
/** Maximum number of errors in a response. */
const MAX_ERRORS = 100
/** How long the file of a preview, or of a failed import, can be run. */
export const RUNNABLE_MS = 24 * 3_600_000

/** The encryption context of the key of an import's file. */
export const keyContext = (importUuid: string): string => `import ${importUuid}`

/** The owner of an import's file in the file store. */
export const fileOwner = (importUuid: string): string => `import:${importUuid}`

/** Deletes imports that wait to be run, with their files, inside a write: an account has one preview and one failure. */
export async function endWaiting(
  { store, blobs }: Pick<ImportDependencies, 'store' | 'blobs'>,
  rows: readonly ImportRow[],
): Promise<void> {
  for (const row of rows) if (await store.endWaiting(row)) await blobs.release(fileOwner(row.uuid))
}

export class ImportService {
  readonly #deps: ImportDependencies

  constructor(deps: ImportDependencies) {
    this.#deps = deps
  }

  /** Reads the file, and stores it if it is run later; before any transaction. */
  async prepare(caller: Caller, upload: Upload): Promise<PreparedImport> {
    const { workspaceUuid } = caller
    const { store, blobs, secrets, domains } = this.#deps
    const { source, columns: given, preview } = upload
    const isPreview = preview === true
    await domains.choose(workspaceUuid, upload.domain)
    const key = randomBytes(32).toString('base64url')
    const file = await readUpload(upload.file, { source, columns: given, isPreview }, key)
    const row = this.#rowOf(caller, upload, file)
    const { columns, importable } = file.summary
    const links = isPreview || upload.background === true ? undefined : await linksForNow(file)
    if (links !== undefined) {
      rejectProblems(row, file.summary.problems, file.summary.problemCount)
      return { row, columns, plan: await this.#planNow(row, columns, links), staged: undefined }
    }
    // Nothing to run: the preview shows the columns and errors.
    if (isPreview && importable === 0) return { row, columns, plan: undefined, staged: undefined }
    if (!isPreview && (await store.countRunning(workspaceUuid)) >= MAX_RUNNING)
      throw new AppError('too_many_imports')
    const planner = new ImportPlanner(this.#deps, row, columns)
    const found = isPreview ? foundBy(await planner.survey(file.lines)) : {}
    const staged = await blobs.stage(await file.bytes())
    return {
      row: {
        ...row,
        ...found,
        state: isPreview ? 'ready' : 'running',
        file_hash: staged.hash,
        file_key: secrets.seal(key, keyContext(row.uuid)),
      },
      columns,
      plan: undefined,
      staged,
    }
  }

  /** Reverts what `prepare` stored. */
  async discard({ staged }: PreparedImport): Promise<void> {
    if (staged !== undefined) await this.#deps.blobs.discard(staged)
  }

  /** Creates the links immediately, all or none, or leaves them to the background job. */
  async create(workspaceUuid: string, prepared: PreparedImport): Promise<{ links: Link[]; import: Import }> {
    const { db, store, blobs, wake } = this.#deps
    const { row, plan, staged } = prepared
    return db.write(async () => {
      if (plan !== undefined) return this.#createNow(row, plan)
      if (row.state === 'ready') await endWaiting(this.#deps, await store.waiting({ workspaceUuid }))
      await store.insert(row)
      if (staged !== undefined) await blobs.adopt(staged, fileOwner(row.uuid), { workspace: workspaceUuid })
      if (row.state === 'running') db.afterCommit(wake)
      return { links: [], import: present(row) }
    })
  }

  /** Plans the links of a small file, which are all created or none. */
  #planNow(row: ImportRow, columns: readonly Column[], given: readonly ImportedLink[]): Promise<Plan> {
    return new ImportPlanner(this.#deps, row, columns).plan(given, async ({ taken, problems }, count) => {
      if (taken.length > 0)
        throw new AppError('code_taken', { errors: { file: taken.map((each) => placeOf(row.unit, each)) } })
      rejectProblems(row, problems, problems.length)
      await this.#deps.quotas.check(row.workspace_uuid, 'links', count)
    })
  }

  async #createNow(row: ImportRow, plan: Plan): Promise<{ links: Link[]; import: Import }> {
    const { store, links, now } = this.#deps
    const created = await links.createImported(row.workspace_uuid, plan.links)
    const done: ImportRow = {
      ...row,
      ...withProblems(row, [...plan.problems, ...plan.leftOut]),
      state: 'done',
      processed: row.importable,
      created: created.length,
      skipped: row.importable - created.length,
      renamed: plan.renamed,
      finished_at: now(),
    }
    await store.insert(done)
    await store.addLinks(
      row.uuid,
      created.map(({ uuid }) => uuid),
    )
    return { links: created, import: present(done) }
  }

  async list(workspaceUuid: string, request: ListRequest): Promise<Listed<Import>> {
    const { store } = this.#deps
    const window = listWindow(request)
    const rows = await store.list(workspaceUuid, window)
    return toListed(rows, window, await store.count(workspaceUuid, window), present)
  }

  /** Starts an import after a preview, or again after a failure. */
  async run(caller: Caller, { uuid, on_taken, domain }: Body<'runImport'>): Promise<Import> {
    const { workspaceUuid } = caller
    const { store, domains, now } = this.#deps
    await domains.choose(workspaceUuid, domain)
    return this.#change(workspaceUuid, uuid, ['ready', 'failed'], async (row) => {
      if (runnableUntil(row) <= now()) throw new AppError('import_state')
      if ((await store.countRunning(workspaceUuid)) >= MAX_RUNNING) throw new AppError('too_many_imports')
      return {
        ...FRESH,
        ...jobCallerOf(caller),
        state: 'running',
        on_taken: on_taken === undefined ? row.on_taken : on_taken,
        domain: domain === undefined ? row.domain : domain,
      }
    })
  }

  /** Stops an import and removes the links that it created. */
  async undo(workspaceUuid: string, uuid: string): Promise<Import> {
    return this.#change(workspaceUuid, uuid, ['ready', 'running', 'done'], () =>
      Promise.resolve({ state: 'undoing' }),
    )
  }

  async #change(
    workspaceUuid: string,
    uuid: string,
    from: readonly ImportRow['state'][],
    changesOf: (row: ImportRow) => Promise<Partial<ImportRow>>,
  ): Promise<Import> {
    const { db, store, now, wake } = this.#deps
    return db.write(async () => {
      const row = await store.find(workspaceUuid, uuid)
      if (row === undefined) throw new AppError('not_found', { message: 'There is no such import' })
      if (!from.includes(row.state)) throw new AppError('import_state')
      const changes = { ...(await changesOf(row)), updated_at: changeTime(now(), row.updated_at) }
      if (!(await store.update(row, changes))) throw new AppError('conflict')
      db.afterCommit(wake)
      return present({ ...row, ...changes })
    })
  }

  #rowOf(caller: Caller, { file, on_taken, domain }: Upload, { summary }: ReadFile): ImportRow {
    const { now, newId } = this.#deps
    const at = now()
    return {
      uuid: newId(),
      ...jobCallerOf(caller),
      state: 'ready',
      source: summary.source,
      unit: summary.unit,
      filename: withoutControls(file.filename).slice(0, 255).toWellFormed(),
      on_taken: on_taken ?? null,
      domain: domain ?? null,
      file_hash: null,
      file_key: null,
      ...FRESH,
      total: summary.total,
      importable: summary.importable,
      unplaced: 0,
      taken: 0,
      columns: JSON.stringify(summary.columns),
      first_rows: JSON.stringify(summary.first.map(rowShown)),
      problems: JSON.stringify(summary.problems),
      problem_count: summary.problemCount,
      turn_at: at,
      created_at: at,
      updated_at: at,
    }
  }
}

/** The state of an import before it runs. */
const FRESH = {
  read_bytes: 0,
  processed: 0,
  created: 0,
  skipped: 0,
  renamed: 0,
  run_problems: '[]',
  run_problem_count: 0,
  error: null,
  finished_at: null,
} as const

/** Until when an import can be run, in milliseconds; 0: not at all. */
const runnableUntil = ({ state, file_hash, updated_at }: ImportRow): number =>
  (state === 'ready' || state === 'failed') && file_hash !== null ? updated_at + RUNNABLE_MS : 0

/** The links of a small file; undefined: too many to create immediately. */
async function linksForNow({ summary, lines }: ReadFile): Promise<ImportedLink[] | undefined> {
  if (summary.total > MOST_LINKS_AT_ONCE) return undefined
  const links: ImportedLink[] = []
  // As many earlier short codes as links: more would delay other writes.
  let room = 2 * MOST_LINKS_AT_ONCE
  for (let from = 0; ;) {
    const read = await lines.linksFrom(from, Math.max(1, room))
    if (read === undefined || read.links.length === 0) return links
    if (room <= 0) return undefined
    links.push(...read.links)
    room -= read.links.reduce((sum, { earlierCodes }) => sum + 1 + (earlierCodes?.length ?? 0), 0)
    from = read.end
  }
}

/** The columns of a survey's results. */
export const foundBy = ({ unplaced, taken, problems, problemCount }: Survey) => ({
  unplaced,
  taken,
  run_problems: JSON.stringify(problems),
  run_problem_count: problemCount,
})

/** Adds problems of a run or preview; empty if there are none, so that nothing is written. */
export function withProblems(
  { run_problems, run_problem_count }: Pick<ImportRow, 'run_problems' | 'run_problem_count'>,
  more: readonly RowProblem[],
): Partial<Pick<ImportRow, 'run_problems' | 'run_problem_count'>> {
  if (more.length === 0) return {}
  const count = { run_problem_count: run_problem_count + more.length }
  if (run_problem_count >= MOST_PROBLEMS) return count
  const all = [...(JSON.parse(run_problems) as RowProblem[]), ...more].slice(0, MOST_PROBLEMS)
  return { run_problems: JSON.stringify(all), ...count }
}

/** The names of ignored columns. */
export const ignoredOf = (columns: readonly Column[]): string[] =>
  columns.flatMap(({ name, meaning, isExpected }) =>
    meaning === undefined && isExpected !== true && name !== '' ? [name] : [],
  )

/** Rejects a file that is imported immediately if rows would be left out. */
function rejectProblems(row: ImportRow, problems: readonly RowProblem[], count: number): void {
  const wrong = problems.filter(({ skipped }) => skipped)
  if (wrong.length === 0) return
  const sentences = wrong.slice(0, MAX_ERRORS).map((problem) => placeOf(row.unit, problem))
  const left = Math.max(wrong.length, count) - sentences.length
  throw new AppError('validation', {
    errors: { file: left > 0 ? [...sentences, `And ${left} more`] : sentences },
  })
}

const rowShown = ({ line, input, shortCode, createdAtMs, clicks }: ImportedLink): Import['rows'][number] => ({
  line,
  link: input.link,
  short_code: shortCode,
  title: input.title ?? null,
  tag: input.tags?.[0] ?? input.tag ?? null,
  created_at: isoTimeOrNull(createdAtMs),
  clicks,
})

/** Problems of the file and of its comparison with the database, by line. */
const problemsOf = ({ problems, run_problems }: ImportRow): RowProblem[] =>
  [...(JSON.parse(problems) as RowProblem[]), ...(JSON.parse(run_problems) as RowProblem[])]
    .toSorted((a, b) => a.line - b.line)
    .slice(0, MOST_PROBLEMS)

const present = (row: ImportRow): Import => ({
  uuid: row.uuid,
  state: row.state,
  source: row.source,
  filename: row.filename,
  on_taken: row.on_taken,
  domain: row.domain,
  total: row.total,
  // In a running import, links that cannot be created on any domain count as skipped.
  importable: row.importable - (row.state === 'ready' || row.state === 'failed' ? row.unplaced : 0),
  taken: row.taken,
  processed: row.processed,
  created: row.created,
  skipped: row.skipped,
  renamed: row.renamed,
  columns: (JSON.parse(row.columns) as Column[]).map(({ name, meaning }) => ({
    column: name,
    field: meaning ?? null,
  })),
  rows: JSON.parse(row.first_rows) as Import['rows'],
  problems: problemsOf(row),
  problem_count: row.problem_count + row.run_problem_count,
  error: row.error,
  runnable_until: isoTimeOrNull(runnableUntil(row) || null),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
  finished_at: isoTimeOrNull(row.finished_at),
})
