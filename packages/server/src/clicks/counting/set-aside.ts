import type { StoredClick } from '../batches/stored-click.ts'
import { dayOf } from '../../work/times.ts'
import type { ClickBatch, ClickStore, Owner, Written } from './click-store.ts'
import { newBatchId } from './prepared-batch.ts'

/** Values that a database cannot store, in the words of SQLite and of PostgreSQL (classes 22, 23 and 54). */
const DATA_FAULT = /^(?:SQLITE_(?:TOOBIG|CONSTRAINT|MISMATCH|RANGE)|(?:22|23|54)...$)/
const FILE_FAULTS: ReadonlySet<unknown> = new Set(['EIO', 'EISDIR', 'EACCES', 'EPERM', 'ELOOP'])
/** More than sixty faulty clicks in a batch are found one by one; after that, their neighbours are set aside, too. */
const MOST_TRIALS = 2_000

/** Whether the data is at fault, so that the same would fail again. A database that is unavailable is another matter. */
export function isDataFault(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) return true
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && DATA_FAULT.test(code)
}

/** Whether one file is at fault. */
export function isFileFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FILE_FAULTS.has(error.code)
}

/**
 * Stores a batch that failed without the clicks that are at fault, which are found by trying its halves. If all of them
 * are, it fails as before.
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
  /** Of clicks that fail together. */
  const atFault = async (clicks: readonly StoredClick[]): Promise<readonly StoredClick[]> => {
    if (clicks.length <= 1 || trials > MOST_TRIALS) return clicks
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
  // PostgreSQL rejects NUL, which a message may quote.
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

/** By workspace and day, so that they go with the account, and after the retention. Nothing tells visitors apart. */
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
