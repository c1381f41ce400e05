import { newBatchId } from '../../batches/batch-id.ts'
import type { ResourceTotals } from '../click-totals.ts'
import { addedUp, textOfTotals } from '../waiting-totals.ts'
import { HELD_MS, spentMs } from './batch-size.ts'
import type { SqliteStatements } from './statements.ts'

/** The time is looked at once for this many links. */
const LOOK_EVERY_LINKS = 64

/** Adds them to the links and pages. Returns what was left when the time was over. */
export function addTotals(
  run: SqliteStatements,
  { links, pages }: ResourceTotals,
  heldMs = Infinity,
): ResourceTotals {
  for (const { resourceUuid, clicks } of pages) run.addToPage.run(clicks, resourceUuid)
  const untilMs = spentMs() + heldMs
  let done = 0
  for (const { resourceUuid, clicks, bots, lastAtMs } of links) {
    run.addToLink.run(clicks, bots, lastAtMs, resourceUuid)
    if (++done % LOOK_EVERY_LINKS === 0 && spentMs() >= untilMs) break
  }
  return { links: links.slice(done), pages: [] }
}

export interface WaitingTotals {
  readonly ids: readonly string[]
  readonly totals: ResourceTotals
}

/** What waits, added up; `undefined` if nothing does. */
export function readWaiting(run: SqliteStatements): WaitingTotals | undefined {
  const rows = run.waiting.all()
  if (rows.length === 0) return undefined
  return { ids: rows.map(({ id }) => id), totals: addedUp(rows.map(({ totals }) => totals)) }
}

/** Adds what waits, as much as there is time for, inside a transaction; nothing if another process has taken it. */
export function settleTotals(run: SqliteStatements, { ids, totals }: WaitingTotals): void {
  if (!ids.every((id) => run.isWaiting.get(id) !== undefined)) return
  for (const id of ids) run.removeWaiting.run(id)
  const left = addTotals(run, totals, HELD_MS)
  if (left.links.length > 0) run.addWaiting.run(newBatchId(), textOfTotals(left))
}
