import type { Piscina } from 'piscina'
import { busy, currentRequester, Gate } from '../net/admission/gate.ts'

export interface ThreadOptions {
  /** Maximum number of threads; each runs one task at a time. One by default. */
  readonly threads?: number
  /** A thread and its memory are released after this long without a task. */
  readonly idleMs: number
  /** A task that takes longer is rejected with 503, and its thread is stopped. */
  readonly limitMs: number
}

/** Maximum number of tasks that wait for a thread. The lanes of the admission gate allow fewer. */
const MAX_WAITING = 256

/**
 * Worker threads for the functions that a file exports. The first task starts a thread, and a task after the thread has died
 * or was stopped starts a new one.
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
    // Piscina gets no more tasks than it has threads: tasks in its own queue do not get a new thread when the last one was
    // stopped, and their time limit would already run.
    this.#gate = new Gate({ capacity, share: capacity, queue: MAX_WAITING, waitMs: options.limitMs })
  }

  /** Calls a function in a thread, in turn with the tasks of other accounts. Its argument and its result are copied. */
  run<Name extends keyof Functions & string>(
    name: Name,
    given: Parameters<Functions[Name]>[0],
  ): Promise<Awaited<ReturnType<Functions[Name]>>> {
    return this.#gate.run(currentRequester(), () => this.#perform(name, given))
  }

  /** Rejects running tasks and all later ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    await (await this.#pool)?.destroy()
  }

  async #perform<Result>(name: string, given: unknown): Promise<Result> {
    const pool = await (this.#pool ??= this.#open())
    if (this.#isClosed) throw new Error('The threads are closed')
    const stop = new AbortController()
    const fail = (error: unknown): void => stop.abort(error)
    // On a busy machine a small task can take this long, so the client may retry.
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

  /** Loaded with the first task, because it would add 20 ms to every start. */
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
    // A thread that dies between two tasks affects no task.
    pool.on('error', () => {})
    return pool
  }
}

/** A `Buffer` with the same memory. Bytes from another thread are plain `Uint8Array`s. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
