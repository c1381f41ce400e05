/** How long a burst of new connections delays work at most. */
const HOLD_MS = 100
/** More do not fit into a turn. */
const STARTS_AT_ONCE = 64

interface TurnOptions {
  readonly holdMs?: number
}

/**
 * A queue of requests that are started for a few milliseconds in each turn of the event loop, so that redirects, which are
 * answered at the socket, are served in between. ADR 29 says why.
 */
export class Turns {
  readonly #turnMs: number
  readonly #holdMs: number
  readonly #waiting: (() => void)[] = []
  /** Number of scheduled immediates for waiting work. */
  #armed = 0
  /** When the first work of this turn started. */
  #beganAt: number | undefined
  #isEndScheduled = false
  #accepted = false
  #isHeld = false
  #heldSince = 0

  constructor(turnMs: number, { holdMs = HOLD_MS }: TurnOptions = {}) {
    this.#turnMs = turnMs
    this.#holdMs = holdMs
  }

  /** Starts work now if this turn has time left, else in a later turn. */
  start(begin: () => void): void {
    if (this.#waiting.length === 0 && this.#hasTime()) return begin()
    this.#waiting.push(begin)
    this.#arm()
  }

  /**
   * Nothing starts in a turn that accepted a connection. Node accepts one per turn, so a visitor's connection behind a hundred
   * others would otherwise wait for the work of a hundred turns.
   */
  readonly noteConnection = (): void => {
    this.#accepted = this.#isHeld = true
    this.#heldSince ||= performance.now()
    this.#scheduleEnd()
  }

  #hasTime(): boolean {
    const now = performance.now()
    if (this.#isHeld && now - this.#heldSince < this.#holdMs) return false
    if (this.#beganAt !== undefined) return now - this.#beganAt < this.#turnMs
    this.#beganAt = now
    this.#scheduleEnd()
    return true
  }

  /** Each piece starts in its own immediate: its promises have then run before there is time for another. */
  #arm(): void {
    if (this.#armed >= Math.min(this.#waiting.length, STARTS_AT_ONCE)) return
    this.#armed++
    setImmediate(this.#tryNext)
  }

  readonly #tryNext = (): void => {
    this.#armed--
    try {
      if (this.#waiting.length > 0 && this.#hasTime()) this.#waiting.shift()?.()
    } finally {
      this.#arm()
    }
  }

  /** Called before any work of the same turn waits, so that this comes first among its immediates. */
  #scheduleEnd(): void {
    if (this.#isEndScheduled) return
    this.#isEndScheduled = true
    setImmediate(this.#endTurn)
  }

  readonly #endTurn = (): void => {
    this.#isEndScheduled = false
    this.#beganAt = undefined
    this.#isHeld = this.#accepted
    this.#accepted = false
    if (!this.#isHeld) this.#heldSince = 0
    if (this.#isHeld) this.#scheduleEnd()
  }
}
