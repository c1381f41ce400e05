import { hash } from 'node:crypto'

/** A value as both engines can say it exactly: whole numbers as text, however large. */
export type Value = string | number | null

/**
 * The checksum of any number of rows in any order: the digests of the rows, added up. Kept as text between
 * batches, so that a move that was interrupted goes on where it was.
 */
export class RowSum {
  #high: number
  #low: number

  constructor(saved = '0-0') {
    const [high = 0, low = 0] = saved.split('-').map((part) => Number.parseInt(part, 16))
    this.#high = high
    this.#low = low
  }

  add(row: readonly Value[]): void {
    const digest = hash('sha256', JSON.stringify(row), 'buffer')
    this.#high = (this.#high + digest.readUIntBE(0, 6)) % 2 ** 48
    this.#low = (this.#low + digest.readUIntBE(6, 6)) % 2 ** 48
  }

  toString(): string {
    return `${this.#high.toString(16)}-${this.#low.toString(16)}`
  }
}
