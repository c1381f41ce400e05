import {
  daysOfVisits,
  type LoggedDay,
  MOST_MERGED_ROWS,
  packVisits,
  SMALL_ROW_VISITS,
  type VisitLog,
} from '../visit-log.ts'
import type { SqliteStatements } from './statements.ts'

/** Reads what was added to the log since it was last read. */
export function readLog(run: SqliteStatements, log: VisitLog, days: readonly number[]): void {
  for (const day of days) log.read(day, run.logged.all(day, log.sequenceOf(day)))
}

export interface AddedVisits {
  /** Those that were not there before. */
  readonly ids: readonly number[]
  /** To be noted when the transaction is committed. */
  readonly logged: readonly LoggedDay[]
}

/** Inside a transaction. */
export function addVisits(run: SqliteStatements, log: VisitLog, visits: Float64Array): AddedVisits {
  readLog(run, log, daysOfVisits(visits))
  const added: number[] = []
  const logged: LoggedDay[] = []
  for (const { day, ids } of log.unseen(visits)) {
    const isFull = log.isFull(day)
    for (const id of isFull ? run.addVisits.writeAndRead(Float64Array.from(ids).sort()) : ids) added.push(id)
    if (!isFull)
      logged.push({ day, ids, sequence: run.addToLog.get(day, ids.length, packVisits(ids), day) ?? 0 })
  }
  return { ids: added, logged }
}

/** Makes one row of many small ones, inside a transaction. */
export function mergeLogged(run: SqliteStatements, day: number): void {
  const rows = run.smallLogged.all(day, SMALL_ROW_VISITS, MOST_MERGED_ROWS)
  const visits = rows.reduce((sum, row) => sum + row.visits, 0)
  // First, so that it gets a number that no reader has seen yet.
  run.addToLog.get(day, visits, Buffer.concat(rows.map(({ data }) => data)), day)
  for (const { sequence } of rows) run.removeLogged.run(day, sequence)
}
