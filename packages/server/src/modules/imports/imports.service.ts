import { randomBytes } from 'node:crypto'
import type { Body, Data } from '@waymark/contract/schemas'
import { AppError } from '../../runtime/errors.ts'
import type { Listed } from '../../runtime/listed.ts'
import { nextTurn } from '../../runtime/turns.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import { isoTime, isoTimeOrNull } from '../../runtime/times.ts'
import type { Quotas } from '../../accounts/users/quotas.ts'
import type { BlobKeeper, Staged } from '../../storage/blobs/keeper.ts'
import type { Database } from '../../storage/db/database.ts'
import { type ListRequest, listWindow, toListed } from '../owned/listing.ts'
import { changeTime } from '../owned/owned-rows.ts'
import type { Link } from '../links/links.service.ts'
import { readUpload } from './import-reader.ts'
import { ImportPlanner, type Plan, type PlannerDependencies } from './import-planner.ts'
import type { ImportRow } from './imports.store.ts'
import { linksFrom } from './link-lines.ts'
import { linksForNow, type ReadFile } from './read-import.ts'
import type { ImportedLink, RowProblem } from './import-rules.ts'
import { MOST_PROBLEMS, placeOf } from './read-import.ts'
import type { Column } from '@waymark/contract/link-files'

export type Import = Data<'runImport'>
type Upload = Body<'importLinks'>

export interface ImportDependencies extends PlannerDependencies {
  readonly db: Database
  readonly blobs: BlobKeeper
  readonly secrets: Secrets
  readonly quotas: Quotas
  readonly now: () => number
  readonly newId: () => string
  /** Something is to be run. */
  readonly wake: () => void
}

/** A file that was read, and what is to be done with it. */
export interface PreparedImport {
  readonly row: ImportRow
  readonly columns: readonly Column[]
  /** What is to be created at once; undefined: the links are created later. */
  readonly plan: Plan | undefined
  /** The stored file, where they are created later. */
  readonly staged: Staged | undefined
}

/** Imports of one account that wait or run. */
const MOST_OPEN = 3
/** As many errors as a response lists. */
const MOST_ERRORS = 100
/** Short codes that are looked up in one turn of the event loop: they take a few milliseconds. */
export const CHECKED_AT_ONCE = 100

/** The context under which the key of an import's file is sealed. */
export const keyContext = (importUuid: string): string => `import ${importUuid}`

/** The owner of an import's file among the stored files. */
export const fileOwner = (importUuid: string): string => `import:${importUuid}`

export class ImportService {
  readonly #deps: ImportDependencies

  constructor(deps: ImportDependencies) {
    this.#deps = deps
  }

  /** Reads the file and stores it if it is to be run later; before any transaction. */
  async prepare(userUuid: string, upload: Upload): Promise<PreparedImport> {
    const { store, blobs, secrets, domains } = this.#deps
    await domains.choose(userUuid, upload.domain)
    const key = randomBytes(32).toString('base64url')
    const file = await readUpload(upload.file, upload.source ?? undefined, key)
    const row = this.#rowOf(userUuid, upload, file)
    const { columns } = file.summary
    const isForLater = upload.preview === true || upload.background === true
    const links = isForLater ? undefined : linksForNow(file, key)
    if (links !== undefined) {
      rejectProblems(row, file.summary.problems, file.summary.problemCount)
      return { row, columns, plan: await this.#planNow(row, columns, links), staged: undefined }
    }
    if ((await store.countOpen(userUuid)) >= MOST_OPEN) throw new AppError('too_many_imports')
    const taken = upload.preview === true ? await this.#takenCodes(row, file, key) : []
    const staged = await blobs.stage(file.lines)
    return {
      row: {
        ...row,
        ...withProblems(row, taken),
        state: upload.preview === true ? 'ready' : 'running',
        file_hash: staged.hash,
        file_key: secrets.seal(key, keyContext(row.uuid)),
      },
      columns,
      plan: undefined,
      staged,
    }
  }

  /** Takes back what `prepare` stored. */
  async discard({ staged }: PreparedImport): Promise<void> {
    if (staged !== undefined) await this.#deps.blobs.discard(staged)
  }

  /** Creates the links at once, all or none, or hands them to the background. */
  async create(userUuid: string, prepared: PreparedImport): Promise<{ links: Link[]; import: Import }> {
    const { db, store, blobs, wake } = this.#deps
    const { row, plan, staged } = prepared
    return db.write(async () => {
      if (plan !== undefined) return this.#createNow(row, plan)
      await store.insert(row)
      if (staged !== undefined) await blobs.adopt(staged, fileOwner(row.uuid), userUuid)
      if (row.state === 'running') db.afterCommit(wake)
      return { links: [], import: present(row) }
    })
  }

  /** What becomes of the links of a small file, of which all are created or none. */
  #planNow(row: ImportRow, columns: readonly Column[], given: readonly ImportedLink[]): Promise<Plan> {
    return new ImportPlanner(this.#deps, row, columns).plan(given, async ({ taken, problems }, count) => {
      if (taken.length > 0)
        throw new AppError('code_taken', { errors: { file: taken.map((each) => placeOf(row.unit, each)) } })
      rejectProblems(row, problems, problems.length)
      await this.#deps.quotas.check(row.user_uuid, 'links', count)
    })
  }

  async #createNow(row: ImportRow, plan: Plan): Promise<{ links: Link[]; import: Import }> {
    const { store, links, now } = this.#deps
    const created = await links.createImported(row.user_uuid, plan.links)
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

  async list(userUuid: string, request: ListRequest): Promise<Listed<Import>> {
    const { store } = this.#deps
    const window = listWindow(request)
    const rows = await store.list(userUuid, window)
    return toListed(rows, window, await store.count(userUuid, window), present)
  }

  /** Starts an import that was uploaded for a preview. */
  async run(userUuid: string, { uuid, on_taken, domain }: Body<'runImport'>): Promise<Import> {
    await this.#deps.domains.choose(userUuid, domain)
    return this.#change(userUuid, uuid, ['ready'], (row) => ({
      state: 'running',
      on_taken: on_taken === undefined ? row.on_taken : on_taken,
      domain: domain === undefined ? row.domain : domain,
    }))
  }

  /** Stops an import and removes what it created. */
  async undo(userUuid: string, uuid: string): Promise<Import> {
    return this.#change(userUuid, uuid, ['ready', 'running', 'done'], () => ({ state: 'undoing' }))
  }

  async #change(
    userUuid: string,
    uuid: string,
    from: readonly ImportRow['state'][],
    changesOf: (row: ImportRow) => Partial<ImportRow>,
  ): Promise<Import> {
    const { db, store, now, wake } = this.#deps
    return db.write(async () => {
      const row = await store.find(userUuid, uuid)
      if (row === undefined) throw new AppError('not_found', { message: 'There is no such import' })
      if (!from.includes(row.state)) throw new AppError('import_state')
      const changes = { ...changesOf(row), updated_at: changeTime(now(), row.updated_at) }
      if (!(await store.update(row, changes))) throw new AppError('conflict')
      db.afterCommit(wake)
      return present({ ...row, ...changes })
    })
  }

  /** What a preview says about short codes that are taken. */
  async #takenCodes(row: ImportRow, file: ReadFile, key: string): Promise<RowProblem[]> {
    const planner = new ImportPlanner(this.#deps, row, file.summary.columns)
    const problems: RowProblem[] = []
    for (let from = 0; from < file.lines.length;) {
      const { links, end } = linksFrom(file.lines, from, CHECKED_AT_ONCE, key)
      from = end
      problems.push(...(await planner.check(links)))
      // SQLite returns within this turn of the event loop. Yield, so that visitors are served in between.
      await nextTurn()
    }
    return problems
  }

  #rowOf(userUuid: string, { file, on_taken, domain }: Upload, { summary, first }: ReadFile): ImportRow {
    const { now, newId } = this.#deps
    const at = now()
    return {
      uuid: newId(),
      user_uuid: userUuid,
      state: 'ready',
      source: summary.source,
      unit: summary.unit,
      filename: file.filename.slice(0, 255).toWellFormed().replaceAll('\0', ''),
      on_taken: on_taken ?? null,
      domain: domain ?? null,
      file_hash: null,
      file_key: null,
      read_bytes: 0,
      total: summary.total,
      importable: summary.importable,
      processed: 0,
      created: 0,
      skipped: 0,
      renamed: 0,
      columns: JSON.stringify(summary.columns),
      first_rows: JSON.stringify(first.map(rowShown)),
      problems: JSON.stringify(summary.problems),
      problem_count: summary.problemCount,
      error: null,
      turn_at: at,
      created_at: at,
      updated_at: at,
      finished_at: null,
    }
  }
}

/** The problems of an import with some more; nothing if there are none, so that a long list is not written again. */
export function withProblems(
  { problems, problem_count }: Pick<ImportRow, 'problems' | 'problem_count'>,
  more: readonly RowProblem[],
): Partial<Pick<ImportRow, 'problems' | 'problem_count'>> {
  if (more.length === 0) return {}
  const all = [...(JSON.parse(problems) as RowProblem[]), ...more].slice(0, MOST_PROBLEMS)
  return { problems: JSON.stringify(all), problem_count: problem_count + more.length }
}

/** The names of columns that were of no use. */
export const ignoredOf = (columns: readonly Column[]): string[] =>
  columns.flatMap(({ name, meaning, isExpected }) =>
    meaning === undefined && isExpected !== true && name !== '' ? [name] : [],
  )

/** Rejects a file that is imported at once for rows that would be left out. */
function rejectProblems(row: ImportRow, problems: readonly RowProblem[], count: number): void {
  const wrong = problems.filter(({ skipped }) => skipped)
  if (wrong.length === 0) return
  const sentences = wrong.slice(0, MOST_ERRORS).map((problem) => placeOf(row.unit, problem))
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

const present = (row: ImportRow): Import => ({
  uuid: row.uuid,
  state: row.state,
  source: row.source,
  filename: row.filename,
  on_taken: row.on_taken,
  domain: row.domain,
  total: row.total,
  importable: row.importable,
  processed: row.processed,
  created: row.created,
  skipped: row.skipped,
  renamed: row.renamed,
  columns: (JSON.parse(row.columns) as Column[]).map(({ name, meaning }) => ({
    column: name,
    field: meaning ?? null,
  })),
  rows: JSON.parse(row.first_rows) as Import['rows'],
  problems: (JSON.parse(row.problems) as RowProblem[]).toSorted((a, b) => a.line - b.line),
  problem_count: row.problem_count,
  error: row.error,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
  finished_at: isoTimeOrNull(row.finished_at),
})
