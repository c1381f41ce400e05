import { Threads } from '../work/threads.ts'
import type * as work from './picture.worker.ts'

/**
 * Decodes uploads and resizes stored pictures. libvips decodes in the thread pool, but loading the library takes a tenth of a
 * second, and a redirect must not wait for it. With two threads, a large picture of one account does not delay a small one
 * of another.
 */
export const pictureThreads = new Threads<typeof work>(new URL('./picture.worker.ts', import.meta.url), {
  threads: 2,
  idleMs: 2_000,
  limitMs: 90_000,
})
