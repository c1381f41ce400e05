import { printTable } from './table.ts'

/** The steps of a check, each with its time and result. */
export class Steps {
  readonly #rows: string[][] = []
  readonly #startedAt = performance.now()

  /** Runs a step and records its duration. */
  async take<T>(
    name: string,
    work: () => Promise<T> | T,
    describe: (result: T) => string = () => '',
  ): Promise<T> {
    const from = performance.now()
    const result = await work()
    this.#rows.push([name, seconds(performance.now() - from), describe(result)])
    return result
  }

  /** Records the duration of all steps so far, in seconds. */
  total(describe: (seconds: number) => string): number {
    const tookMs = performance.now() - this.#startedAt
    this.#rows.push(['in all', seconds(tookMs), describe(tookMs / 1000)])
    return tookMs / 1000
  }

  print(): void {
    printTable(['step', 'seconds', ''], this.#rows)
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)
