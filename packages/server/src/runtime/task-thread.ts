import { Worker } from 'node:worker_threads'

export interface TaskThreadOptions {
  readonly name: string
  /** The thread and its memory are given up after this long without a task. */
  readonly idleMs: number
  /** A task that takes longer is ended with its thread. */
  readonly limitMs: number
}

/** A worker thread that does one task at a time. It starts with the first one, and is kept while there are more. */
export class TaskThread<Task, Reply> {
  readonly #file: URL
  readonly #options: TaskThreadOptions
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(file: URL, options: TaskThreadOptions) {
    this.#file = file
    this.#options = options
  }

  /** To be called when the task before has ended. */
  async run(task: Task): Promise<Reply> {
    const worker = (this.#worker ??= this.#start())
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const ended = (): void => reject(new Error(`The thread "${this.#options.name}" ended during its task`))
    worker.once('message', resolve).once('error', reject).once('exit', ended)
    this.#endAfter(this.#options.limitMs)
    worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(task)
    try {
      return await promise
    } finally {
      worker.off('message', resolve).off('error', reject).off('exit', ended)
      // An idle thread does not keep the process alive.
      worker.unref()
      if (this.#worker === worker) this.#endAfter(this.#options.idleMs)
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#file, { name: this.#options.name })
    const forget = (): void => {
      if (this.#worker === worker) this.#forget()
    }
    return worker.on('error', forget).on('exit', forget)
  }

  #forget(): void {
    clearTimeout(this.#timer)
    this.#worker = undefined
  }

  #endAfter(ms: number): void {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#timer = setTimeout(() => {
      this.#forget()
      void worker?.terminate()
    }, ms).unref()
  }
}
