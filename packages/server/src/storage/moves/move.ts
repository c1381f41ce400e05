import { OperatorError } from '../../net/errors.ts'
import { type Blobs, hashOf } from '../blobs/blobs.ts'
import type { PostgresTarget } from './postgres-target.ts'
import { RowSum, type SourceTable, type SqliteSource } from './sqlite-source.ts'

/** Called with the progress: the step, and how much of it is done. */
export type OnProgress = (step: string, done: number, total: number) => void

export interface Moved {
  readonly tables: number
  readonly rows: number
  readonly files: number
}

const FILES_AT_ONCE = 8

/** Moves every table, then reads everything back. Can be interrupted at any point and repeated. */
export async function moveTables(
  source: SqliteSource,
  target: PostgresTarget,
  name: string,
  onProgress: OnProgress,
): Promise<Pick<Moved, 'tables' | 'rows'>> {
  const tables = source.tables()
  const total = tables.reduce((sum, table) => sum + table.rows, 0)
  await target.open(tables, name)
  let done = 0
  for (const table of tables) {
    await moveTable(source, target, table, (rows) => {
      done += rows
      onProgress(`rows (${table.name})`, done, total)
    })
  }
  let verified = 0
  for (const table of tables) {
    await verify(target, table, (rows) => {
      verified += rows
      onProgress(`checking (${table.name})`, verified, total)
    })
  }
  return { tables: tables.length, rows: total }
}

async function moveTable(
  source: SqliteSource,
  target: PostgresTarget,
  table: SourceTable,
  onRows: (rows: number) => void,
): Promise<void> {
  let { lastKey, rows, sum } = await target.progress(table.name)
  onRows(rows)
  for (;;) {
    const batch = source.batch(table, lastKey)
    if (batch === undefined) return
    const total = new RowSum(sum)
    for (const row of batch.rows) total.add(row)
    sum = total.toString()
    rows += batch.rows.length
    lastKey = batch.lastKey
    await target.insert(table, batch, { lastKey, rows, sum })
    onRows(batch.rows.length)
  }
}

async function verify(
  target: PostgresTarget,
  table: SourceTable,
  onRows: (rows: number) => void,
): Promise<void> {
  const sent = await target.progress(table.name)
  const found = await target.sum(table, onRows)
  if (found.rows !== table.rows || sent.rows !== table.rows)
    throw new OperatorError(`${table.name}: ${table.rows} rows were to be moved, ${found.rows} arrived`)
  if (found.sum !== sent.sum)
    throw new OperatorError(`${table.name}: the checksums of source and target differ`)
}

/** Copies the files in the source; reads each back and compares it with its name, which is its hash. */
export async function moveFiles(
  source: SqliteSource,
  from: Blobs,
  to: Blobs,
  total: number,
  onProgress: OnProgress,
): Promise<number> {
  const hashes = source.hashes()
  let done = 0
  const lane = async (): Promise<void> => {
    for (const hash of hashes) {
      await moveFile(hash, from, to)
      onProgress('files', ++done, total)
    }
  }
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, lane))
  return done
}

async function moveFile(hash: string, from: Blobs, to: Blobs): Promise<void> {
  const there = await to.get(hash)
  if (there !== undefined && hashOf(there) === hash) return
  const bytes = await from.get(hash)
  // An aborted request leaves a row whose file was never stored; nothing refers to it.
  if (bytes === undefined) return
  if (hashOf(bytes) !== hash) throw new OperatorError(`the file ${hash} is damaged`)
  await to.put(hash, bytes)
  const arrived = await to.get(hash)
  if (arrived === undefined || hashOf(arrived) !== hash)
    throw new OperatorError(`the file ${hash} did not arrive`)
}
