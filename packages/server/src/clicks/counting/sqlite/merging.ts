import { newBatchId } from '../../batches/batch-id.ts'
import type { Batch } from '../../batches/batch.ts'
import { dayCountsOf } from '../../batches/day-counts.ts'
import { batchesToMerge, mergedBatches } from '../../batches/merged.ts'
import type { OpenDay } from '../click-store.ts'
import { addedTo, NO_TEXTS, tallyOf, TEXT_COLUMNS } from '../day-texts.ts'
import type { DayTexts } from '../day-texts.ts'
import type { SqliteStatements } from './statements.ts'
import type { SqliteWeeks } from './weeks.ts'

/** Makes one batch of several; when closing, also adds it up. Inside a transaction. */
export function mergeOpenBatches(
  run: SqliteStatements,
  weeks: SqliteWeeks,
  { userKey, day }: OpenDay,
  closing: boolean,
  id: string | undefined,
): void {
  const batches = batchesToMerge(run.openBatches.all(userKey, day), closing, id)
  if (batches.length === 0) return
  const data = batches.map((batch) => ({ data: run.batchData.get(userKey, day, batch.id)! }))
  const { packed, batch } = mergedBatches(data, day)
  if (closing) {
    run.addDays.write(dayRows(run, userKey, day, batch))
    weeks.noteDue(userKey, day)
  }
  for (const old of batches) run.removeBatch.run(userKey, day, old.id)
  run.addBatch.run(userKey, day, newBatchId(), closing ? null : day, batch.clicks, packed)
}

function* dayRows(run: SqliteStatements, userKey: number, day: number, batch: Batch) {
  for (const counts of dayCountsOf(batch, day)) {
    const { clicks, uniques, bots } = tallyOf(counts)
    const texts = addedTo(knownTexts(run.texts.get(userKey, counts.scopeKey, day)), counts)
    yield [
      userKey,
      counts.scopeKey,
      day,
      clicks,
      uniques,
      bots,
      ...TEXT_COLUMNS.map((column) => texts[column]),
    ]
  }
}

function knownTexts(row: string[] | undefined): DayTexts {
  if (row === undefined) return NO_TEXTS
  return Object.fromEntries(TEXT_COLUMNS.map((column, at) => [column, row[at]])) as DayTexts
}
