import { parentPort } from 'node:worker_threads'

/** What a thread can do, by name. */
export type Work = Record<string, (...given: never[]) => unknown>

/** A thread may have several tasks at a time, so each has a number, and its reply the same. */
export interface Task {
  readonly id: number
  readonly name: string
  readonly given: readonly unknown[]
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown }

/**
 * Called once by the file of a thread: performs the tasks that a `TaskThread` gives it. `afterEach` is called when a
 * task has its reply.
 */
export function offerWork(work: Work, afterEach?: () => void): void {
  const perform = async ({ id, name, given }: Task): Promise<Reply> => {
    try {
      return { id, result: await work[name]!(...(given as never[])) }
    } catch (error) {
      return { id, error }
    }
  }
  const answer = async (task: Task): Promise<void> => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(await perform(task))
    afterEach?.()
  }
  parentPort?.on('message', (task: Task) => void answer(task))
}

/** The same bytes as a `Buffer`, not a copy. What comes from another thread has lost that class. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
