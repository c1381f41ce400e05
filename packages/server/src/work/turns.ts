import { AsyncLocalStorage } from 'node:async_hooks'

/** Resolves in the next turn of the event loop, after the requests that have arrived meanwhile. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** How long a burst of new connections delays work at most. */
const HOLD_MS = 100
/** More do not fit into a turn. */
const STARTS_AT_ONCE = 64

interface TurnOptions {
  /** Turns left to visitors after each one. A visitor with a new connection needs several, and Node accepts one in each. */
  readonly restTurns?: number
  readonly holdMs?: number
}

/**
 * One queue of work that gets a few milliseconds in each turn of the event loop, so that visitors are served in between.
 * There is a queue for each kind of work that a single client can cause much of. ADR 29 says why.
 */
export class Turns {
  readonly #turnMs: number
  readonly #restTurns: number
  readonly #holdMs: number
  readonly #waiting: (() => void)[] = []
  /** Number of scheduled immediates for waiting work. */
  #armed = 0
  /** When the first work of this turn started. */
  #beganAt: number | undefined
  #restsLeft = 0
  /** Work that continues after it was started: until it is done or this turn ends, no other starts. */
  #running: symbol | undefined
  #isEndScheduled = false
  #accepted = false
  #isHeld = false
  #heldSince = 0

  constructor(turnMs: number, { restTurns = 1, holdMs = HOLD_MS }: TurnOptions = {}) {
    this.#turnMs = turnMs
    this.#restTurns = restTurns
    this.#holdMs = holdMs
  }

  /** Starts work now if this turn has time left, else in a later turn. */
  start(begin: () => void): void {
    if (this.#isFree()) begin()
    else this.#wait(begin)
  }

  /** Runs tasks one after another. A task that waits for something else delays the next by at most one turn. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#isFree()) return this.#runHere(task)
    // Without its own context the task would run in that of the caller before it, and in its transaction.
    const inContext = AsyncLocalStorage.snapshot()
    return new Promise((resolve) => this.#wait(() => resolve(inContext(() => this.#runHere(task)))))
  }

  /**
   * What to await between two steps of long work. Undefined while this turn has time left: then do the next step immediately,
   * because others may get the same result before a promise resolves.
   */
  rest(): Promise<void> | undefined {
    if (this.#hasTime()) return undefined
    return new Promise((resolve) =>
      this.#wait(() => {
        this.#running = Symbol()
        resolve()
      }),
    )
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

  #isFree(): boolean {
    return this.#waiting.length === 0 && this.#running === undefined && this.#hasTime()
  }

  #hasTime(): boolean {
    const now = performance.now()
    if (this.#restsLeft > 0 || (this.#isHeld && now - this.#heldSince < this.#holdMs)) return false
    if (this.#beganAt !== undefined) return now - this.#beganAt < this.#turnMs
    this.#beganAt = now
    this.#scheduleEnd()
    return true
  }

  #wait(begin: () => void): void {
    this.#waiting.push(begin)
    this.#arm()
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
      this.#startNext()
    } finally {
      this.#arm()
    }
  }

  #startNext(): void {
    if (this.#waiting.length > 0 && this.#running === undefined && this.#hasTime()) this.#waiting.shift()?.()
  }

  async #runHere<Result>(task: () => Promise<Result>): Promise<Result> {
    const running = (this.#running = Symbol())
    try {
      return await task()
    } finally {
      if (this.#running === running) {
        this.#running = undefined
        this.#startNext()
      }
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
    const isUsedUp = this.#beganAt !== undefined && performance.now() - this.#beganAt >= this.#turnMs
    this.#restsLeft = (isUsedUp ? this.#restTurns : this.#restsLeft || 1) - 1
    this.#beganAt = undefined
    this.#running = undefined
    this.#isHeld = this.#accepted
    this.#accepted = false
    if (!this.#isHeld) this.#heldSince = 0
    if (this.#isHeld || this.#restsLeft > 0) this.#scheduleEnd()
  }
}

/** Long work of requests that is done in steps: large bodies and long lists. */
export const longWork = new Turns(5, { restTurns: 4 })

/** Like `items.map(map)`, spread over several turns of the event loop. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Mapped,
): Promise<Mapped[]> {
  const mapped: Mapped[] = []
  for (const item of items) {
    mapped.push(map(item))
    const rest = longWork.rest()
    if (rest !== undefined) await rest
  }
  return mapped
}
