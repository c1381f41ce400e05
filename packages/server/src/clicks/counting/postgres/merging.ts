import type { PoolClient } from 'pg'
import { newBatchId } from '../../batches/batch-id.ts'
import { dayCountsOf } from '../../batches/day-counts.ts'
import { batchesToMerge, mergedBatches } from '../../batches/merged.ts'
import type { OpenDay } from '../click-store.ts'
import { addDays } from './days.ts'
import { noteDueWeek } from './weeks.ts'

/** Makes one batch of several; when closing, also adds it up. Inside a transaction; two nodes never take the same ones. */
export async function mergeOpenBatches(
  client: PoolClient,
  { userKey, day }: OpenDay,
  closing: boolean,
  id: string | undefined,
): Promise<true> {
  const { rows: open } = await client.query<{ id: string; clicks: string; bytes: number }>(
    `select id, clicks, length(data) as bytes from click_batches
      where user_key = $1 and day = $2 and open_day is not null order by id for update skip locked`,
    [userKey, day],
  )
  const sizes = open.map((batch) => ({ ...batch, clicks: Number(batch.clicks) }))
  const chosen = batchesToMerge(sizes, closing, id)
  if (chosen.length === 0) return true
  const { rows: batches } = await client.query<{ data: Uint8Array }>(
    'delete from click_batches where user_key = $1 and day = $2 and id = any($3::text[]) returning data',
    [userKey, day, chosen.map((batch) => batch.id)],
  )
  const { packed, batch } = mergedBatches(batches, day)
  if (closing) await noteDueWeek(client, userKey, day)
  if (closing) await addDays(client, userKey, dayCountsOf(batch, day))
  await client.query(
    'insert into click_batches (user_key, day, id, open_day, clicks, data) values ($1, $2, $3, $4, $5, $6)',
    [userKey, day, newBatchId(), closing ? null : day, batch.clicks, packed],
  )
  return true
}
