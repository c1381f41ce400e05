import type { UserDay } from '../batches/user-days.ts'

type Named = Pick<UserDay, 'userKey' | 'day'>

/** Each step of counting adds a small batch; that many of one user and day become one. */
const SMALL_BATCHES = 64
const MAX_REMEMBERED = 10_000

/**
 * Counts the batches that were added for each user and day. Statistics of today go through what is open, and many small
 * batches would make that slow. What is forgotten here is merged when its day is over.
 */
export class SmallBatches {
  readonly #added = new Map<string, number>()

  /** Notes what was added, and returns what has become worth merging. */
  dueAfter(batches: readonly Named[]): Named[] {
    if (this.#added.size > MAX_REMEMBERED) this.#added.clear()
    return batches.filter(({ userKey, day }) => {
      const name = `${userKey} ${day}`
      const added = ((this.#added.get(name) ?? 0) + 1) % SMALL_BATCHES
      this.#added.set(name, added)
      return added === 0
    })
  }
}
