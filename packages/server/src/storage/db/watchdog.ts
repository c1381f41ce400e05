/**
 * All writes wait for the one under way: one that never ends must not take the whole server with it. As they come one
 * at a time, one timer serves them all; setting one up for each would cost as much as a statement.
 */
export class Watchdog {
  readonly #limitMs: number
  #timer: NodeJS.Timeout | undefined
  #giveUp: (() => void) | undefined

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** The result of the work, or an error once it has taken too long; `abandoned` is called first. */
  watch<T>(work: Promise<T>, abandoned: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const giveUp = (): void => {
        abandoned()
        reject(new Error(`A write took longer than ${this.#limitMs} ms`))
      }
      // What was given up may still come to its end, when another is being watched already.
      const over = (): void => {
        if (this.#giveUp === giveUp) this.#giveUp = undefined
      }
      this.#giveUp = giveUp
      this.#timer = this.#timer?.refresh() ?? setTimeout(() => this.#giveUp?.(), this.#limitMs).unref()
      work.then(
        (result) => {
          over()
          resolve(result)
        },
        (error: unknown) => {
          over()
          reject(error)
        },
      )
    })
  }
}
