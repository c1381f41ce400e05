/**
 * Lets work begin while the pixels of all work under way stay within a total, in the order asked. Decoding needs
 * memory by the pixel, so that this, and not the number of requests, is what bounds it.
 */
export class PixelBudget {
  readonly #total: number
  #left: number
  readonly #waiting: { pixels: number; begin: () => void }[] = []

  constructor(total: number) {
    this.#total = total
    this.#left = total
  }

  /** Work over the total runs alone. */
  async run<T>(wantedPixels: number, work: () => Promise<T>): Promise<T> {
    const pixels = Math.min(wantedPixels, this.#total)
    await new Promise<void>((begin) => {
      this.#waiting.push({ pixels, begin })
      this.#admit()
    })
    try {
      return await work()
    } finally {
      this.#left += pixels
      this.#admit()
    }
  }

  #admit(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && next.pixels <= this.#left;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift()
      this.#left -= next.pixels
      next.begin()
    }
  }
}
