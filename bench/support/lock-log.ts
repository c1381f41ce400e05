/** How long statements waited for locks, read from the log of a PostgreSQL that was started with `settings`. */
export class LockLog {
  /** Waits shorter than this many milliseconds are not in the log. */
  static readonly leastMs = 5
  static readonly settings = { log_lock_waits: 'on', deadlock_timeout: `${LockLog.leastMs}ms` }

  #rest = ''
  #waits: { readonly ms: number; readonly what: string }[] = []

  read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const [, what, ms] = /acquired (\w+ on .*) after ([\d.]+) ms/.exec(line) ?? []
      if (what !== undefined) this.#waits.push({ ms: Number(ms), what })
    }
  }

  /** What was waited for since the last call. */
  take(): string {
    const waits = this.#waits.splice(0).toSorted((a, b) => b.ms - a.ms)
    const [longest] = waits
    if (longest === undefined) return `no statement waited for a lock for ${LockLog.leastMs} ms`
    return `${waits.length} statements waited for a lock for ${LockLog.leastMs} ms or more, the longest ${longest.ms.toFixed(1)} ms: ${longest.what}`
  }
}
