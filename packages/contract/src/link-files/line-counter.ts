/** Returns the line of a position in a text. Positions must not decrease, so that the text is scanned only once. */
export class LineCounter {
  readonly #text: string
  #line = 1
  #nextBreak: number

  constructor(text: string) {
    this.#text = text
    this.#nextBreak = text.indexOf('\n')
  }

  at(position: number): number {
    while (this.#nextBreak !== -1 && this.#nextBreak < position) {
      this.#line++
      this.#nextBreak = this.#text.indexOf('\n', this.#nextBreak + 1)
    }
    return this.#line
  }
}
