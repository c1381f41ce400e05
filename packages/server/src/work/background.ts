import { setTimeout as delay } from 'node:timers/promises'
import { actingFor, currentRequester } from '../net/admission/gate.ts'

/**
 * Work without a caller that awaits it: repeated by a timer, or started beside a request. Its owner closes it before the
 * database that it uses.
 */
export class Background {
  readonly #report: (error: unknown) => void
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #running = new Set<Promise<void>>()
  readonly #ending = new AbortController()

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Aborted by `close`: work in several steps stops between two of them. */
  get closing(): AbortSignal {
    return this.#ending.signal
  }

  /** Starts the work now. Does nothing after `close`. */
  start(work: () => Promise<unknown>): void {
    if (!this.closing.aborted) void this.#run(work)
  }

  /** Repeats the work. A run that takes longer than the interval skips ticks, so that runs never overlap. */
  every(intervalMs: number, work: () => Promise<unknown>): void {
    if (this.closing.aborted) return
    let isRunning = false
    const turn = async (): Promise<void> => {
      if (isRunning) return
      isRunning = true
      await this.#run(work)
      isRunning = false
    }
    this.#timers.add(setInterval(() => void turn(), intervalMs).unref())
  }

  /** Stops the timers and waits for work in progress, at most `limitMs`. */
  async close(limitMs?: number): Promise<void> {
    this.#ending.abort()
    for (const timer of this.#timers) clearInterval(timer)
    const ended = Promise.all(this.#running)
    if (limitMs === undefined) await ended
    else await Promise.race([ended, delay(limitMs, undefined, { ref: false })])
  }

  /** Never rejects, because there is no caller. */
  async #run(work: () => Promise<unknown>): Promise<void> {
    const running = this.#settle(work)
    this.#running.add(running)
    await running
    this.#running.delete(running)
  }

  async #settle(work: () => Promise<unknown>): Promise<void> {
    try {
      // A request that starts work may end before it, and its client may leave.
      await actingFor({ ...currentRequester(), isGone: undefined }, work)
    } catch (error) {
      this.#report(error)
    }
  }
}
