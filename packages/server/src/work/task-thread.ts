import { Worker } from 'node:worker_threads'
import { busy } from '../net/admission/gate.ts'
import type { Reply, Task, Work } from './thread-work.ts'

export interface TaskThreadOptions {
  readonly name: string
  /** The thread and its memory are given up after this long without a task. */
  readonly idleMs: number
  /** A task that takes longer is ended, and its thread with all other tasks. */
  readonly limitMs: number
  /** How many tasks the thread is given at a time, if the admission gate does not say it; the others wait. */
  readonly tasksAtOnce?: number
  /** How often a task is given to a thread, if each one dies over it or takes too long. Once, unless this says more. */
  readonly tries?: number
  readonly onStart?: (worker: Worker) => void
}

interface Job {
  readonly name: string
  readonly given: readonly unknown[]
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
  triesLeft: number
  timer: NodeJS.Timeout | undefined
}

interface Thread {
  readonly worker: Worker
  readonly jobs: Map<number, Job>
  isLate: boolean
}

/**
 * A worker thread whose file calls `offerWork`. It starts with the first task, is kept while there are more, and is
 * replaced when it has died or has a task that takes too long.
 */
export class TaskThread<Functions extends Work> {
  readonly #file: URL
  readonly #options: TaskThreadOptions
  readonly #queue: Job[] = []
  /** The present one, and those that are about to end. */
  readonly #threads = new Set<Thread>()
  #thread: Thread | undefined
  #idle: NodeJS.Timeout | undefined
  #lastId = 0
  #isClosed = false

  constructor(file: URL, options: TaskThreadOptions) {
    this.#file = file
    this.#options = options
  }

  /** Calls a function of the thread. What it is given and what it returns are copies. */
  run<Name extends keyof Functions & string>(
    name: Name,
    ...given: Parameters<Functions[Name]>
  ): Promise<Awaited<ReturnType<Functions[Name]>>> {
    if (this.#isClosed) return Promise.reject(this.#closedError())
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Functions[Name]>>>()
    const triesLeft = this.#options.tries ?? 1
    this.#queue.push({ name, given, resolve, reject, triesLeft, timer: undefined })
    this.#dispatch()
    return promise
  }

  /** Rejects what is under way and what comes after. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    for (const { reject } of this.#queue.splice(0)) reject(this.#closedError())
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()))
  }

  #dispatch(): void {
    const { tasksAtOnce = Infinity } = this.#options
    while (this.#queue.length > 0) {
      const thread = (this.#thread ??= this.#start())
      if (thread.jobs.size >= tasksAtOnce) return
      this.#give(thread, this.#queue.shift()!)
    }
  }

  #start(): Thread {
    const worker = new Worker(this.#file, { name: this.#options.name })
    const thread: Thread = { worker, jobs: new Map(), isLate: false }
    this.#threads.add(thread)
    worker.on('message', (reply: Reply) => this.#take(thread, reply))
    let cause: unknown = new Error(`The thread "${this.#options.name}" ended during its task`)
    worker.on('error', (error) => (cause = error))
    worker.on('exit', () => this.#bury(thread, cause))
    this.#options.onStart?.(worker)
    return thread
  }

  #give(thread: Thread, job: Job): void {
    const id = ++this.#lastId
    clearTimeout(this.#idle)
    thread.jobs.set(id, job)
    job.triesLeft--
    job.timer = setTimeout(() => {
      thread.isLate = true
      this.#end(thread)
    }, this.#options.limitMs)
    // An idle thread does not keep the process alive; a busy one has a response to give.
    thread.worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.worker.postMessage({ id, name: job.name, given: job.given } satisfies Task)
  }

  #take(thread: Thread, reply: Reply): void {
    const job = this.#release(thread, reply.id)
    if ('error' in reply) job?.reject(reply.error)
    else job?.resolve(reply.result as never)
    this.#dispatch()
    if (thread.jobs.size > 0) return
    thread.worker.unref()
    if (this.#thread === thread)
      this.#idle = setTimeout(() => this.#end(thread), this.#options.idleMs).unref()
  }

  #release(thread: Thread, id: number): Job | undefined {
    const job = thread.jobs.get(id)
    clearTimeout(job?.timer)
    thread.jobs.delete(id)
    return job
  }

  #bury(thread: Thread, cause: unknown): void {
    this.#forget(thread)
    this.#threads.delete(thread)
    const jobs = [...thread.jobs.keys()].flatMap((id) => this.#release(thread, id) ?? [])
    const again = this.#isClosed ? [] : jobs.filter(({ triesLeft }) => triesLeft > 0)
    this.#queue.unshift(...again)
    for (const job of jobs) {
      // On a machine that is short of processor time a small task can take that long: the client may try again.
      if (!again.includes(job)) job.reject(thread.isLate ? busy() : cause)
    }
    this.#dispatch()
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

  #closedError(): Error {
    return new Error(`The thread "${this.#options.name}" is closed`)
  }
}
