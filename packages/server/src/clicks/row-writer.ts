import type { Database as Sqlite, Statement } from 'better-sqlite3'

type Value = string | number | null

/** Rows per statement: a call into SQLite costs as much as a row, so the more rows share one the better. */
const SIZES = [64, 8, 1] as const

/** `insert into … values …` for any number of rows. */
export class RowWriter {
  readonly #width: number
  readonly #breathe: () => void
  readonly #statements: readonly (readonly [rows: number, statement: Statement])[]

  /** `tail`: what stands after the rows. */
  constructor(db: Sqlite, head: string, width: number, tail: string, breathe: () => void) {
    this.#width = width
    this.#breathe = breathe
    const row = `(${Array(width).fill('?').join(', ')})`
    this.#statements = SIZES.map((rows) => [
      rows,
      db.prepare(`${head} values ${Array(rows).fill(row).join(', ')} ${tail}`),
    ])
  }

  /** The rows' values one after the other; answers how many rows were made or changed. */
  write(values: readonly Value[]): number {
    let changes = 0
    let done = 0
    for (const [rows, statement] of this.#statements) {
      const step = rows * this.#width
      for (; done + step <= values.length; done += step) {
        this.#breathe()
        changes += statement.run(values.slice(done, done + step)).changes
      }
    }
    return changes
  }
}
