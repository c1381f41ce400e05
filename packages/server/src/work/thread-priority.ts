import { readdir, readFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'

/** How much nicer than the thread that serves requests a thread is whose work no client waits for. */
export const BACKGROUND_STEP = 10
/** The same of threads that a client waits for: beside other busy programs they must not come last. */
export const REQUEST_STEP = 4
const NICEST = 19
const THREADS = '/proc/self/task'
const POOL_NAME = 'libuv-worker'

/** Linux alone has priorities of single threads; elsewhere this would change the whole process. */
const hasThreadPriorities = process.platform === 'linux'

/** Lowers a thread's priority; the calling thread's if none is named. */
function lower(step: number, thread = 0): void {
  try {
    setPriority(thread, Math.min(NICEST, getPriority(thread) + step))
  } catch {
    // A sandbox that forbids it, or a thread that has ended. Priorities only help.
  }
}

/** The calling worker thread makes way for the thread that serves requests where there are fewer cores than threads. */
export function lowerPriority(step: number): void {
  if (hasThreadPriorities) lower(step)
}

/** Lowers the priority of the thread pool: hashing and decoding make way for requests. */
export async function lowerPoolPriority(): Promise<void> {
  if (!hasThreadPriorities) return
  try {
    // The first of these starts the whole pool.
    for (const thread of await readdir(THREADS)) {
      const name = await readFile(`${THREADS}/${thread}/comm`, 'utf8').catch(() => '')
      if (name.trim() === POOL_NAME) lower(REQUEST_STEP, Number(thread))
    }
  } catch {
    // There is no /proc here.
  }
}
