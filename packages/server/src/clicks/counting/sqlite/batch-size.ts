const FIRST_CLICKS = 10_000
const LEAST_CLICKS = 4_000
const MOST_CLICKS = 50_000

/**
 * How long one transaction of counting may keep other writers waiting, in the time of a processor; with the commit that
 * follows, less than 50 ms. By the clock, a busy machine would get smaller batches, which cost it more.
 */
export const HELD_MS = 20

/** Processor time of this thread. */
export function spentMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** As many clicks in a batch as were written within the time, going by the batches before. */
export class BatchSize {
  #clicks = FIRST_CLICKS

  get clicks(): number {
    return this.#clicks
  }

  note(clicks: number, heldMs: number): void {
    // A small batch says nothing about a large one.
    if (clicks < LEAST_CLICKS) return
    const fitting = (clicks * HELD_MS) / Math.max(heldMs, 1)
    // By half at most: one batch may have met a machine that was busy with something else.
    const next = Math.min(Math.max(fitting, this.#clicks / 2), this.#clicks * 2)
    this.#clicks = Math.round(Math.min(Math.max(next, LEAST_CLICKS), MOST_CLICKS))
  }
}
