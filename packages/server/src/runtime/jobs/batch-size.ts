/** Aimed at, far below the 50 ms that a batch may keep other writes waiting. */
const AIM_MS = 12
const MOST = 250
const START = 25

/** How many rows a batch has: as many as take a dozen milliseconds here and now. */
export class BatchSize {
  readonly #fewest: number
  rows: number

  constructor(fewest = 5) {
    this.#fewest = fewest
    this.rows = Math.max(fewest, START)
  }

  /** Grows slowly and shrinks at once. */
  note(heldMs: number): void {
    const fitting = this.rows * (AIM_MS / Math.max(heldMs, 0.1))
    this.rows = Math.trunc(Math.max(this.#fewest, Math.min(MOST, fitting, this.rows * 1.5)))
  }
}
