/** Clicks of one row at most: a piece that is scanned without making others wait. */
export const MAX_BATCH_CLICKS = 50_000
/** Bytes of one row at most: visitors choose how long the texts of their clicks are. */
export const MAX_BATCH_BYTES = 2 * 1024 * 1024
/** Batches below both limits are worth merging while their day goes on. */
const SMALL_BATCH_CLICKS = 5_000
const SMALL_BATCH_BYTES = 256 * 1024

/** Each step of counting adds a small batch; that many of one workspace and day are merged. */
const SMALL_BATCHES = 64
const MAX_REMEMBERED = 10_000

export interface StoredBatch {
  readonly id: string
  readonly clicks: number
  readonly bytes: number
}

/** Which of a day's batches become one: when the day is closed any of them, until then small ones. `id`: this one alone. */
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
 * Counts the batches that were added for each workspace and day: statistics of today scan them, and many small batches
 * would make that slow. What is forgotten here is merged when its day is over.
 */
export class SmallBatches {
  readonly #added = new Map<string, number>()

  /** Notes what was added, and returns what has become worth merging. */
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
