import type { Piscina } from 'piscina'
import { busy, Gate } from '../net/admission/gate.ts'

export interface ThreadOptions {
  /** How many threads there are at most; each has one task at a time. One by default. */
  readonly threads?: number
  /** A thread and its memory are released after this long without a task. */
  readonly idleMs: number
  /** A task that takes longer is rejected with 503, and its thread is stopped. */
  readonly limitMs: number
}

/** Tasks that may wait for a thread. The lanes of the admission gate let fewer through. */
const MAX_WAITING = 256

/**
 * Worker threads for the functions that a file exports. A thread starts with the first task, and the next task gets a
 * new one if it has died or was stopped.
 */
export class Threads<Functions extends { [Name in keyof Functions]: (given: never) => unknown }> {
  readonly #file: URL
  readonly #options: ThreadOptions
  readonly #gate: Gate
  #pool: Promise<Piscina> | undefined
  #isClosed = false

  constructor(file: URL, options: ThreadOptions) {
    this.#file = file
    this.#options = options
    const capacity = options.threads ?? 1
    // Piscina gets no more tasks than it has threads: what waits in its own queue is not given to a new thread when the
    // last one was stopped, and the time of a waiting task would already run.
    this.#gate = new Gate({ capacity, share: capacity, queue: MAX_WAITING, waitMs: options.limitMs })
  }

  /** Calls a function in a thread. Its argument and its result are copied. */
  run<Name extends keyof Functions & string>(
    name: Name,
    given: Parameters<Functions[Name]>[0],
  ): Promise<Awaited<ReturnType<Functions[Name]>>> {
    return this.#gate.run({}, 1, () => this.#perform(name, given))
  }

  /** Rejects the tasks in progress and all that come later. */
  async close(): Promise<void> {
    this.#isClosed = true
    await (await this.#pool)?.destroy()
  }

  async #perform<Result>(name: string, given: unknown): Promise<Result> {
    const pool = await (this.#pool ??= this.#open())
    if (this.#isClosed) throw new Error('The threads are closed')
    const stop = new AbortController()
    const fail = (error: unknown): void => stop.abort(error)
    // On a busy machine a small task can take this long, so the client may try again.
    const timer = setTimeout(() => fail(busy()), this.#options.limitMs)
    // A thread that cannot load its file fails before it has the task.
    pool.on('error', fail)
    try {
      return (await pool.run(given, { name, signal: stop.signal })) as Result
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error
    } finally {
      clearTimeout(timer)
      pool.off('error', fail)
    }
  }

  /** Loaded with the first task: it would take 20 ms of every start. */
  async #open(): Promise<Piscina> {
    const { Piscina } = await import('piscina')
    const pool = new Piscina({
      filename: this.#file.href,
      minThreads: 0,
      maxThreads: this.#options.threads ?? 1,
      idleTimeout: this.#options.idleMs,
      // Between tasks a thread handles its events, instead of blocking until the next task.
      atomics: 'disabled',
    })
    // A thread that dies between two tasks concerns no task.
    pool.on('error', () => {})
    return pool
  }
}

/** The same bytes as a `Buffer`, not a copy. Bytes from another thread have lost that class. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
