/** Aimed at, far below the 50 ms that a batch may keep other writes waiting. */
const AIM_MS = 12
const FEWEST = 5
const MOST = 250
const START = 25

/** How many rows a batch has: as many as take a dozen milliseconds here and now. */
export class BatchSize {
  rows = START

  /** Grows slowly and shrinks at once. */
  note(heldMs: number): void {
    const fitting = this.rows * (AIM_MS / Math.max(heldMs, 0.1))
    this.rows = Math.trunc(Math.max(FEWEST, Math.min(MOST, fitting, this.rows * 1.5)))
  }
}
