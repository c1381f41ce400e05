import type { Database as Sqlite, Statement } from 'better-sqlite3'
import type { Pause } from '../../../work/v8/counting-pauses.ts'

type Value = string | number | null

/** Rows per statement: a call into SQLite costs as much as a row, so the more rows share one the better. */
const SIZES = [64, 8, 1] as const

/** `insert into … values …` for any number of rows. */
export class RowWriter {
  readonly #width: number
  readonly #pause: Pause
  readonly #statements: readonly (readonly [rows: number, statement: Statement])[]

  /** `tail`: what stands after the rows. */
  constructor(db: Sqlite, head: string, width: number, tail: string, pause: Pause) {
    this.#width = width
    this.#pause = pause
    const row = `(${Array(width).fill('?').join(', ')})`
    this.#statements = SIZES.map((rows) => {
      const statement = db.prepare(`${head} values ${Array(rows).fill(row).join(', ')} ${tail}`)
      return [rows, statement.reader ? statement.pluck() : statement]
    })
  }

  /** Writes rows as they come, as soon as they fill a statement: a batch of them never lies about as a whole. */
  write(rows: Iterable<readonly Value[]>): void {
    const waiting: Value[] = []
    for (const row of rows) {
      waiting.push(...row)
      if (waiting.length < SIZES[0] * this.#width) continue
      this.#inSteps(waiting, (statement, values) => statement.run(values))
      waiting.length = 0
    }
    this.#inSteps(waiting, (statement, values) => statement.run(values))
  }

  /** Rows of one value each, for a statement that returns one number for every row it inserted. */
  writeAndRead(values: Float64Array): number[] {
    const answers: number[] = []
    this.#inSteps(values, (statement, some) => {
      for (const answer of statement.all(some)) answers.push(answer as number)
    })
    return answers
  }

  #inSteps(
    values: readonly Value[] | Float64Array,
    step: (statement: Statement, values: readonly Value[]) => void,
  ): void {
    let done = 0
    for (const [rows, statement] of this.#statements) {
      const width = rows * this.#width
      for (; done + width <= values.length; done += width) {
        this.#pause()
        step(statement, Array.from(values.slice(done, done + width)))
      }
    }
  }
}
