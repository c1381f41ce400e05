import type { StoredClick } from '../batches/stored-click.ts'
import { dayOf } from '../../work/times.ts'
import type { ClickBatch, ClickStore, Owner, Written } from './click-store.ts'
import { newBatchId } from './prepared-batch.ts'

/** Error codes of values that cannot be stored: SQLite's, and PostgreSQL's classes 22, 23 and 54. */
const DATA_FAULT = /^(?:SQLITE_(?:TOOBIG|CONSTRAINT|MISMATCH|RANGE)|(?:22|23|54)...$)/
const FILE_FAULTS: ReadonlySet<unknown> = new Set(['EIO', 'EISDIR', 'EACCES', 'EPERM', 'ELOOP'])
/** More than sixty faulty clicks can be isolated in a batch; after that, their neighbours are set aside, too. */
const MAX_TRIALS = 2_000

/** True if the data is at fault, so that a retry would fail again. False if the database is unavailable. */
export function isDataFault(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) return true
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && DATA_FAULT.test(code)
}

/** True if a single file is at fault. */
export function isFileFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FILE_FAULTS.has(error.code)
}

/**
 * Stores a failed batch without the clicks that are at fault, which are found by bisection. Fails as before if all of them
 * are.
 */
export async function writeDivided(
  store: ClickStore,
  batch: ClickBatch,
  fault: unknown,
): Promise<{ readonly setAside: number; readonly written: Written | undefined }> {
  let trials = 0
  const fails = async (clicks: readonly StoredClick[]): Promise<boolean> => {
    trials++
    try {
      await store.write({ ...batch, clicks, isTrial: true })
      return false
    } catch (error) {
      if (isDataFault(error)) return true
      throw error
    }
  }
  /** Clicks that fail together. */
  const atFault = async (clicks: readonly StoredClick[]): Promise<readonly StoredClick[]> => {
    if (clicks.length <= 1 || trials > MAX_TRIALS) return clicks
    const middle = clicks.length >> 1
    let found: readonly StoredClick[] = []
    for (const half of [clicks.slice(0, middle), clicks.slice(middle)])
      if (await fails(half)) found = [...found, ...(await atFault(half))]
    return found.length === 0 ? clicks : found
  }
  const faulty = new Set(await atFault(batch.clicks))
  if (faulty.size === batch.clicks.length) throw fault
  const written = await store.write({
    ...batch,
    clicks: batch.clicks.filter((click) => !faulty.has(click)),
    setAside: { clicks: [...faulty], reason: reasonOf(fault) },
  })
  return { setAside: faulty.size, written }
}

export function reasonOf(fault: unknown): string {
  // PostgreSQL rejects NUL, which an error message may quote.
  return (fault instanceof Error ? fault.message : String(fault)).replaceAll('\0', '').slice(0, 500)
}

/** A row of `set_aside_clicks`. */
export interface SetAsideRow {
  readonly workspaceUuid: string
  readonly day: number
  readonly id: string
  readonly clicks: number
  readonly reason: string
  readonly data: Buffer
}

/** Rows by workspace and day, so that they are deleted with the account and after the retention, and contain no visitor. */
export function setAsideRows(
  { setAside }: ClickBatch,
  owners: ReadonlyMap<string, Pick<Owner, 'workspaceUuid'>>,
): SetAsideRow[] {
  if (setAside === undefined) return []
  const byDay = Map.groupBy(
    setAside.clicks,
    ({ resourceUuid, atMs }) => `${owners.get(resourceUuid)?.workspaceUuid ?? ''} ${dayOf(atMs)}`,
  )
  return [...byDay].flatMap(([name, clicks]) => {
    const [workspaceUuid = '', day] = name.split(' ')
    if (workspaceUuid === '') return []
    const data = Buffer.from(JSON.stringify(clicks.map((click) => ({ ...click, visitor: undefined }))))
    const { reason } = setAside
    return [{ workspaceUuid, day: Number(day), id: newBatchId(), clicks: clicks.length, reason, data }]
  })
}
