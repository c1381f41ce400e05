/** Resolves in the next turn of the event loop, after the requests that have arrived meanwhile. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

let lastTurn = Promise.resolve()

/** A turn of the event loop that no other caller of this function has: for work that takes some milliseconds at once. */
export const ownTurn = (): Promise<void> => (lastTurn = lastTurn.then(nextTurn))

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
    await nextTurn()
    this.begin()
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
