import { Worker } from 'node:worker_threads'
import { CodeError } from '@waymark/codes'
import type { Bars, Symbology } from '@waymark/codes/barcodes'
import { busy } from '../../runtime/admission/gate.ts'
import type { CodeReply, CodeTask, NumberedReply, NumberedTask } from './code-worker.ts'
import type { CodeDrawing, RenderedCode } from './render-code.ts'

/** Reading, drawing and slow encoding, on separate threads, so that requests are served meanwhile. */
export interface CodeWorkers {
  /** The text in a PNG, or undefined when no code of that kind can be found in it. */
  read(png: Uint8Array, symbology: Symbology | 'qr'): Promise<string | undefined>
  encode(text: string, symbology: Symbology): Promise<Bars>
  draw(code: CodeDrawing): Promise<RenderedCode>
  close(): Promise<void>
}

export interface CodeWorkersOptions {
  /** At most this many; two keep a second core busy, more only compete with the server. */
  threads?: number
  /** What one thread does at once. A second drawing begins while sharp, on threads of its own, encodes the first. */
  tasksAtOnce?: number
  /** A task that takes longer is given to another thread, and then given up. */
  taskMs?: number
  onStart?: (worker: Worker) => void
}

interface Job {
  task: CodeTask
  triesLeft: number
  timer: NodeJS.Timeout | undefined
  resolve(reply: CodeReply): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  jobs: Map<number, Job>
  isLate: boolean
}

const TASK_MS = 20_000

/** Starts nothing yet: a thread begins with the first task that finds no idle one, and a dead one is replaced. */
export function openCodeWorkers(options: CodeWorkersOptions = {}): CodeWorkers {
  const { threads: most = 1, tasksAtOnce = 1, taskMs = TASK_MS, onStart } = options
  const threads = new Set<Thread>()
  const queue: Job[] = []
  let lastId = 0
  let closed = false

  function run(task: CodeTask): Promise<CodeReply> {
    if (closed) return Promise.reject(new Error('The code workers are closed'))
    return new Promise((resolve, reject) => {
      queue.push({ task, triesLeft: 2, timer: undefined, resolve, reject })
      dispatch()
    })
  }

  function dispatch(): void {
    while (queue.length > 0) {
      const free =
        [...threads].find(({ jobs, isLate }) => jobs.size < tasksAtOnce && !isLate) ??
        (threads.size < most ? start() : undefined)
      if (free === undefined) return
      give(free, queue.shift()!)
    }
  }

  function start(): Thread {
    const worker = new Worker(new URL('./code-worker.ts', import.meta.url), { name: 'codes' })
    const thread: Thread = { worker, jobs: new Map(), isLate: false }
    threads.add(thread)
    worker.on('message', ({ id, reply }: NumberedReply) => {
      const job = release(thread, id)
      if (reply.kind === 'fault') job?.reject(faultError(reply))
      else job?.resolve(reply)
      dispatch()
    })
    let cause: unknown
    worker.on('error', (error) => (cause = error))
    worker.on('exit', () => bury(thread, cause))
    onStart?.(worker)
    return thread
  }

  function give(thread: Thread, job: Job): void {
    const id = ++lastId
    thread.jobs.set(id, job)
    job.triesLeft--
    // An idle thread must not keep the process alive; a busy one has a response to give.
    thread.worker.ref()
    job.timer = setTimeout(() => {
      thread.isLate = true
      void thread.worker.terminate()
    }, taskMs)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.worker.postMessage({ id, task: job.task } satisfies NumberedTask)
  }

  function release(thread: Thread, id: number): Job | undefined {
    const job = thread.jobs.get(id)
    clearTimeout(job?.timer)
    thread.jobs.delete(id)
    if (thread.jobs.size === 0) thread.worker.unref()
    return job
  }

  function bury(thread: Thread, cause: unknown): void {
    threads.delete(thread)
    for (const id of thread.jobs.keys()) {
      const job = release(thread, id)
      if (job !== undefined && job.triesLeft > 0 && !closed) queue.unshift(job)
      // On a machine that is short of processor time a small task can take that long: the client may try again.
      else job?.reject(thread.isLate ? busy() : new Error('A code worker died over its task', { cause }))
    }
    if (!closed) dispatch()
  }

  return {
    async read(png, symbology) {
      const reply = await run({ kind: 'read', png, symbology })
      return reply.kind === 'text' ? reply.text : undefined
    },
    async encode(text, symbology) {
      const reply = await run({ kind: 'encode', text, symbology })
      if (reply.kind !== 'bars') throw new Error('The code worker gave no modules')
      return reply.bars
    },
    async draw(code) {
      const reply = await run({ kind: 'draw', code })
      if (reply.kind !== 'picture') throw new Error('The code worker gave no picture')
      return { bytes: Buffer.from(reply.bytes), contentType: reply.contentType }
    },
    async close() {
      closed = true
      for (const job of queue.splice(0)) job.reject(new Error('The code workers are closed'))
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

function faultError(reply: Extract<CodeReply, { kind: 'fault' }>): Error {
  return reply.fault === 'crash' ? new Error(reply.message) : new CodeError(reply.fault, reply.message)
}
