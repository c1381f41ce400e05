import { newBatchId } from '../../batches/batch-id.ts'
import type { ClickBatch, Written } from '../click-store.ts'
import { noteNewVisits, type PreparedBatch, withoutUsers, writtenOf } from '../prepared-batch.ts'
import type { SetAsideRow } from '../set-aside.ts'
import type { LoggedDay, VisitLog } from '../visit-log.ts'
import { clicksForWebhooks } from '../webhook-clicks.ts'
import { addTotals } from './totals.ts'
import type { SqliteStatements } from './statements.ts'
import { addVisits } from './visits.ts'

/** Counts the batch and moves the position, inside a transaction. `undefined`: another reader has moved it. */
export function countBatch(
  run: SqliteStatements,
  log: VisitLog,
  batch: ClickBatch,
  prepared: PreparedBatch,
  setAside: readonly SetAsideRow[],
): { readonly written: Written; readonly logged: readonly LoggedDay[] } | undefined {
  if (run.move.run(batch.to, batch.file, batch.from).changes === 0) return undefined
  const ready = stillThere(run, batch, prepared)
  const { ids, logged } = addVisits(run, log, ready.visits.ids)
  noteNewVisits(ready, ids)
  for (const { id, userDay, data } of ready.rows)
    run.addBatch.run(userDay.userKey, userDay.day, id, userDay.day, userDay.clicks.length, data)
  if (ready.waiting === undefined) addTotals(run, ready.totals)
  else run.addWaiting.run(newBatchId(), ready.waiting)
  for (const { userKey, day, id, clicks, reason, data, userUuid } of setAside)
    run.addSetAside.run(userKey, day, id, clicks, reason, data, userUuid)
  const told = clicksForWebhooks(batch.clicks, ready.owners, run.watchers.all())
  run.addToldClicks.write(
    told.map((row) => [row.uuid, row.webhook_uuid, row.workspace_uuid, row.count, row.clicks]),
  )
  return { written: writtenOf(batch, ready), logged }
}

/** Users may have been erased since the batch was prepared: nothing may be written for them any more. */
function stillThere(run: SqliteStatements, batch: ClickBatch, prepared: PreparedBatch): PreparedBatch {
  const erased = new Set([...prepared.userUuids].filter((uuid) => run.user.get(uuid) === undefined))
  return erased.size === 0 ? prepared : withoutUsers(prepared, batch, erased)
}
