import { Worker } from 'node:worker_threads'
import type { Reply, Task, Work } from './thread-work.ts'

export interface TaskThreadOptions {
  readonly name: string
  /** The thread and its memory are given up after this long without a task. */
  readonly idleMs: number
  /** A task that takes longer is ended, and its thread with all other tasks. */
  readonly limitMs: number
}

interface Waiting {
  readonly timer: NodeJS.Timeout
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
}

/**
 * A worker thread whose file calls `offerWork`. It starts with the first task, is kept while there are more, and has as
 * many at a time as it is given: how many that may be is for the admission gate to say.
 */
export class TaskThread<Functions extends Work> {
  readonly #file: URL
  readonly #options: TaskThreadOptions
  #thread: Thread | undefined
  #idle: NodeJS.Timeout | undefined
  #lastId = 0

  constructor(file: URL, options: TaskThreadOptions) {
    this.#file = file
    this.#options = options
  }

  /** Calls a function of the thread. What it is given and what it returns are copies. */
  run<Name extends keyof Functions & string>(
    name: Name,
    ...given: Parameters<Functions[Name]>
  ): Promise<Awaited<ReturnType<Functions[Name]>>> {
    clearTimeout(this.#idle)
    const thread = (this.#thread ??= this.#start())
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Functions[Name]>>>()
    const timer = setTimeout(() => this.#end(thread), this.#options.limitMs).unref()
    thread.waiting.set(id, { timer, resolve, reject })
    // An idle thread does not keep the process alive; a busy one has a response to give.
    thread.worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.worker.postMessage({ id, name, given } satisfies Task)
    return promise
  }

  #start(): Thread {
    const worker = new Worker(this.#file, { name: this.#options.name })
    const thread: Thread = { worker, waiting: new Map() }
    worker.on('message', (reply: Reply) => this.#take(thread, reply))
    worker.on('error', (error) => this.#bury(thread, error))
    const ended = `The thread "${this.#options.name}" ended during its task`
    worker.on('exit', () => this.#bury(thread, new Error(ended)))
    return thread
  }

  #take(thread: Thread, reply: Reply): void {
    const waiting = thread.waiting.get(reply.id)
    thread.waiting.delete(reply.id)
    clearTimeout(waiting?.timer)
    if ('error' in reply) waiting?.reject(reply.error)
    else waiting?.resolve(reply.result as never)
    if (thread.waiting.size > 0) return
    thread.worker.unref()
    if (this.#thread === thread)
      this.#idle = setTimeout(() => this.#end(thread), this.#options.idleMs).unref()
  }

  #bury(thread: Thread, error: unknown): void {
    this.#forget(thread)
    for (const { timer, reject } of thread.waiting.values()) {
      clearTimeout(timer)
      reject(error)
    }
    thread.waiting.clear()
  }

  #end(thread: Thread): void {
    this.#forget(thread)
    void thread.worker.terminate()
  }

  #forget(thread: Thread): void {
    if (this.#thread !== thread) return
    clearTimeout(this.#idle)
    this.#thread = undefined
  }
}
