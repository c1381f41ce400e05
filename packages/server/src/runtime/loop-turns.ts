/** Resolves in the next turn of the event loop, after the requests that have arrived meanwhile. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

let lastTurn = Promise.resolve()

/** A turn of the event loop that no other caller of this function has: for work that takes some milliseconds at once. */
export const ownTurn = (): Promise<void> => (lastTurn = lastTurn.then(nextTurn))

/** Node accepts one connection in a turn: with a single turn between slices, new visitors would queue up behind them. */
const REST_TURNS = 4

/** Divides long work among turns of the event loop, so that visitors are served in between. */
export class TurnBudget {
  readonly #turnMs: number
  #beganAt = performance.now()

  constructor(turnMs: number) {
    this.#turnMs = turnMs
  }

  /** The work begins in this turn. */
  begin(): void {
    this.#beganAt = performance.now()
  }

  /** What to wait for between two steps: nothing while this turn has time left. */
  rest(): Promise<void> | undefined {
    return performance.now() - this.#beganAt < this.#turnMs ? undefined : this.#endTurn()
  }

  async #endTurn(): Promise<void> {
    for (let turn = 0; turn < REST_TURNS; turn++) await nextTurn()
    this.begin()
  }
}

/**
 * Runs tasks one after another for a few milliseconds in each turn of the event loop. A turn that one task alone may have
 * would be a turn for every short one, and turns take time themselves. A task that waits for something else keeps the next
 * one waiting for one turn at most.
 */
export class TurnQueue {
  readonly #turnMs: number
  readonly #waiting: (() => void)[] = []
  /** When the first task of this turn began. */
  #beganAt: number | undefined
  #running: symbol | undefined

  constructor(turnMs: number) {
    this.#turnMs = turnMs
  }

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length === 0 && this.#hasRoom()) return this.#begin(task)
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(this.#begin(task)))
    })
  }

  #hasRoom(): boolean {
    if (this.#beganAt === undefined) return true
    return this.#running === undefined && performance.now() - this.#beganAt < this.#turnMs
  }

  async #begin<Result>(task: () => Promise<Result>): Promise<Result> {
    const running = (this.#running = Symbol())
    if (this.#beganAt === undefined) {
      this.#beganAt = performance.now()
      setImmediate(this.#endTurn)
    }
    try {
      return await task()
    } finally {
      if (this.#running === running) this.#running = undefined
      this.#beginNext()
    }
  }

  #beginNext(): void {
    if (this.#hasRoom()) this.#waiting.shift()?.()
  }

  readonly #endTurn = (): void => {
    this.#beganAt = undefined
    this.#beginNext()
  }
}

/** Short enough that a request in between does not notice. */
const MAP_TURN_MS = 5

/** What `items.map(map)` gives, in as many turns of the event loop as it takes. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Mapped,
): Promise<Mapped[]> {
  const turn = new TurnBudget(MAP_TURN_MS)
  const mapped: Mapped[] = []
  for (const item of items) {
    mapped.push(map(item))
    const rest = turn.rest()
    if (rest !== undefined) await rest
  }
  return mapped
}
