import { TaskThread } from '../work/task-thread.ts'
import type { pictureWork } from './picture.worker.ts'

/**
 * Where uploads are decoded and stored pictures resized. The decoding itself runs in the thread pool, but to load the
 * library takes a tenth of a second, which no redirect is to wait for.
 */
export const pictureThread = new TaskThread<typeof pictureWork>(
  new URL('./picture.worker.ts', import.meta.url),
  { name: 'pictures', idleMs: 2_000, limitMs: 90_000 },
)
