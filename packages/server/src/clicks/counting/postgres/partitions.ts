type Run = (text: string) => Promise<unknown>

/** First millisecond of the month, UTC. */
export function monthOf(atMs: number): number {
  const at = new Date(atMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth())
}

export function nextMonth(monthMs: number): number {
  const month = new Date(monthMs)
  return Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1)
}

const NAME = /^clicks_(\d{4})_(\d{2})$/

export function partitionName(monthMs: number): string {
  const month = new Date(monthMs)
  return `clicks_${String(month.getUTCFullYear()).padStart(4, '0')}_${String(month.getUTCMonth() + 1).padStart(2, '0')}`
}

/** The month a partition is for; `undefined` for any other table. */
export function monthOfPartition(name: string): number | undefined {
  const [, year, month] = NAME.exec(name) ?? []
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1)
}

/** Any number of nodes may want the same month at once: a lock lets one make it and the others find it. */
const PARTITION_LOCK = 0x77_6d_63_6c

/** Makes the monthly partitions of the clicks table as they are needed. */
export class PartitionKeeper {
  readonly #known = new Set<number>()
  readonly #run: Run

  constructor(run: Run) {
    this.#run = run
  }

  async ensure(monthMs: number): Promise<void> {
    if (this.#known.has(monthMs)) return
    // Several statements in one message are one transaction, which the lock lasts for.
    await this.#run(
      `select pg_advisory_xact_lock(${PARTITION_LOCK});
       create table if not exists ${partitionName(monthMs)} partition of clicks
         for values from (${monthMs}) to (${nextMonth(monthMs)})`,
    )
    this.#known.add(monthMs)
  }

  /** Old partitions are dropped by another node: a month that came back must be made again. */
  forget(): void {
    this.#known.clear()
  }
}
