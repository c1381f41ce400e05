import { type Batch, clicksOf, packClicks, unpackBatch } from './batch.ts'

/** Clicks of one row at most: a piece that is gone through without keeping others waiting. */
export const MAX_BATCH_CLICKS = 50_000
/** Batches that are worth merging while their day goes on. */
export const SMALL_BATCH_CLICKS = 5_000

export interface StoredBatch {
  readonly id: string
  readonly clicks: number
  readonly data: Uint8Array
}

/** As many of the batches as make one of the largest size; at least one. */
export function firstOf<T extends { readonly clicks: number }>(batches: readonly T[]): T[] {
  let clicks = 0
  return batches.filter((batch, at) => {
    clicks += batch.clicks
    return at === 0 || clicks <= MAX_BATCH_CLICKS
  })
}

/** Several batches of one user and day as one. */
export function mergedBatches(
  batches: readonly Pick<StoredBatch, 'data'>[],
  day: number,
): { readonly packed: Uint8Array; readonly batch: Batch } {
  const [only] = batches
  if (batches.length === 1 && only !== undefined) return { packed: only.data, batch: unpackBatch(only.data) }
  const clicks = batches.flatMap(({ data }) => [...clicksOf(unpackBatch(data), day)])
  const packed = packClicks(
    clicks.sort((a, b) => a.atMs - b.atMs),
    day,
  )
  return { packed, batch: unpackBatch(packed) }
}
