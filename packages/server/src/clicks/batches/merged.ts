import { type Batch, clicksOf, packClicks, unpackBatch } from './batch.ts'

/** Clicks of one row at most: a piece that is gone through without keeping others waiting. */
export const MAX_BATCH_CLICKS = 50_000
/** Bytes of one row at most: visitors choose how long the texts of their clicks are, and reading a row blocks others. */
export const MAX_BATCH_BYTES = 2 * 1024 * 1024
/** Batches below both limits are worth merging while their day goes on. */
const SMALL_BATCH_CLICKS = 5_000
const SMALL_BATCH_BYTES = 256 * 1024

export interface StoredBatch {
  readonly id: string
  readonly clicks: number
  readonly bytes: number
}

/** Those of a day's batches that become one: when it is closed any of them, until then small ones. `id`: this one alone. */
export function batchesToMerge(
  open: readonly StoredBatch[],
  closing: boolean,
  id: string | undefined,
): StoredBatch[] {
  if (id !== undefined) return open.filter((batch) => batch.id === id)
  if (closing) return firstOf(open)
  const small = firstOf(
    open.filter(({ clicks, bytes }) => clicks < SMALL_BATCH_CLICKS && bytes < SMALL_BATCH_BYTES),
  )
  return small.length === 1 ? [] : small
}

/** As many of the batches as make one of the largest size; at least one. */
export function firstOf<T extends Omit<StoredBatch, 'id'>>(batches: readonly T[]): T[] {
  let clicks = 0
  let bytes = 0
  return batches.filter((batch, at) => {
    clicks += batch.clicks
    bytes += batch.bytes
    return at === 0 || (clicks <= MAX_BATCH_CLICKS && bytes <= MAX_BATCH_BYTES)
  })
}

/** Several batches of one user and day as one. */
export function mergedBatches(
  batches: readonly { readonly data: Uint8Array }[],
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
