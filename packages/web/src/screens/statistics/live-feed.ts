import type { LiveClick } from '@waymark/sdk'

/** A click with its own number, because two clicks can be equal. */
interface HeardClick {
  readonly id: number
  readonly click: LiveClick
}

const SHOWN = 20
/** Clicks that arrive within this time are shown together, however many there are. */
const SHOW_MS = 250

const isSame = (one: LiveClick, other: LiveClick): boolean => JSON.stringify(one) === JSON.stringify(other)

const timeOf = ({ click }: HeardClick): number => Date.parse(click.clicked_at)

/** The latest clicks, outside the state of the screen: each would otherwise render all of it. */
export class LiveFeed {
  #shown: readonly HeardClick[] = []
  #heard: HeardClick[] = []
  #lastId = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #listeners = new Set<() => void>()

  hear(click: LiveClick, isRecent: boolean): void {
    // A reopened stream repeats the latest clicks.
    if (isRecent && [...this.#heard, ...this.#shown].some((one) => isSame(one.click, click))) return
    this.#heard.unshift({ id: ++this.#lastId, click })
    if (this.#heard.length > SHOWN) this.#heard.pop()
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#show(), SHOW_MS)
  }

  readonly latest = (): readonly HeardClick[] => this.#shown

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #show(): void {
    this.#timer = undefined
    this.#shown = [...this.#heard, ...this.#shown]
      .toSorted((one, other) => timeOf(other) - timeOf(one))
      .slice(0, SHOWN)
    this.#heard = []
    for (const listener of this.#listeners) listener()
  }
}
