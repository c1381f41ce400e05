/** Short enough that a redirect in between does not notice; some twenty-five ordinary requests begin within it. */
const TURN_MS = 4
/** How long they wait at most for connections that are still to be accepted. */
const HOLD_MS = 100

/**
 * Begins requests that are no plain redirects so that visitors are served in between, also when a client sends a hundred
 * at once.
 *
 * In one turn of the event loop no more begin than take some milliseconds. And none begins while connections are being
 * accepted: Node accepts one connection a turn, so a visitor whose connection comes after those hundred would wait for a
 * hundred requests.
 */
export class PacedStarts<Request extends readonly unknown[]> {
  readonly #begin: (...request: Request) => void
  readonly #turnMs: number
  readonly #holdMs: number
  /** When the first request of this turn began. */
  #beganAt: number | undefined
  /** A connection was accepted since the last immediates. */
  #accepted = false
  /** A connection was accepted in the turn that these immediates belong to. */
  #acceptedInTurn = false
  #isTurnWatched = false
  #waiting = 0

  constructor(begin: (...request: Request) => void, { turnMs = TURN_MS, holdMs = HOLD_MS } = {}) {
    this.#begin = begin
    this.#turnMs = turnMs
    this.#holdMs = holdMs
  }

  /** Begins a request, now or in a later turn. */
  readonly start = (...request: Request): void => {
    // Those that wait already come first.
    if (this.#waiting === 0 && !this.#accepted && this.#hasTime()) return this.#begin(...request)
    this.#waiting++
    this.#watchTurn()
    setImmediate(this.#retry, performance.now(), request)
  }

  /** To be called with every connection that is accepted. */
  readonly noteConnection = (): void => {
    this.#accepted = true
    this.#watchTurn()
  }

  readonly #retry = (since: number, request: Request): void => {
    const isHeld = this.#acceptedInTurn && performance.now() - since < this.#holdMs
    if (isHeld || !this.#hasTime()) {
      this.#watchTurn()
      setImmediate(this.#retry, since, request)
      return
    }
    this.#waiting--
    this.#begin(...request)
  }

  #hasTime(): boolean {
    if (this.#beganAt !== undefined) return performance.now() - this.#beganAt < this.#turnMs
    this.#beganAt = performance.now()
    this.#watchTurn()
    return true
  }

  /** Asked for before any request of the same turn waits, so that this comes first among its immediates. */
  #watchTurn(): void {
    if (this.#isTurnWatched) return
    this.#isTurnWatched = true
    setImmediate(this.#endTurn)
  }

  readonly #endTurn = (): void => {
    this.#isTurnWatched = false
    this.#beganAt = undefined
    this.#acceptedInTurn = this.#accepted
    this.#accepted = false
  }
}
