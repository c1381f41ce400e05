/** Largest number of clicks in a row: statistics scan a row without a break, so its size bounds how long others wait. */
export const MAX_BATCH_CLICKS = 50_000
/** Largest row in bytes: visitors choose how long the texts of their clicks are. */
export const MAX_BATCH_BYTES = 2 * 1024 * 1024
/** Batches below both limits are merged before their day is over. */
const SMALL_BATCH_CLICKS = 5_000
const SMALL_BATCH_BYTES = 256 * 1024

/** A workspace's batches of one day are merged once there are this many small ones. */
const SMALL_BATCHES = 64
const MAX_REMEMBERED = 10_000

export interface StoredBatch {
  readonly id: string
  readonly clicks: number
  readonly bytes: number
}

/** Which of a day's batches to merge: all after the day has ended, only small ones before. `id`: only this one. */
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

/** Returns as many of the batches as fit into one row; at least one. */
function firstOf(batches: readonly StoredBatch[]): StoredBatch[] {
  let clicks = 0
  let bytes = 0
  return batches.filter((batch, at) => {
    clicks += batch.clicks
    bytes += batch.bytes
    return at === 0 || (clicks <= MAX_BATCH_CLICKS && bytes <= MAX_BATCH_BYTES)
  })
}

interface WorkspaceDay {
  readonly workspaceUuid: string
  readonly day: number
}

/**
 * Counts the batches added for each workspace and day. Statistics of today scan all of them, and many small batches would
 * make that slow. Days that this class forgets are merged when they are over.
 */
export class SmallBatches {
  readonly #added = new Map<string, number>()

  /** Records the added batches and returns the days that should be merged. */
  dueAfter<Day extends WorkspaceDay>(batches: readonly Day[]): Day[] {
    if (this.#added.size > MAX_REMEMBERED) this.#added.clear()
    return batches.filter(({ workspaceUuid, day }) => {
      const name = `${workspaceUuid} ${day}`
      const added = ((this.#added.get(name) ?? 0) + 1) % SMALL_BATCHES
      this.#added.set(name, added)
      return added === 0
    })
  }
}
