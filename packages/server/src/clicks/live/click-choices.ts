/** Messages of one listener that may wait for the database; more are left out, as the figures have them anyway. */
const MAX_WAITING = 20

/** What one listener has to ask the database about clicks, one message after the other. */
export class ClickChoices {
  readonly #report: (error: unknown) => void
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  add(work: () => Promise<void>): void {
    if (this.#waiting === MAX_WAITING) return
    this.#waiting++
    this.#last = this.#last
      .then(work)
      .catch(this.#report)
      .finally(() => this.#waiting--)
  }
}
