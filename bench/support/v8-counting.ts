// A thread that is always busy with the kind of work that counting clicks is.
import { workerData } from 'node:worker_threads'
import { CountingPauses, PAUSE_EVERY_CLICKS } from '../../packages/server/src/work/v8/counting-pauses.ts'

const pauses = workerData === true ? new CountingPauses() : undefined
const click = JSON.stringify({ at: 1, link: crypto.randomUUID(), agent: 'Mozilla/5.0', country: 'FR' })

for (let counted = 0; ; counted++) {
  JSON.parse(click)
  if (counted % PAUSE_EVERY_CLICKS === 0) pauses?.pause()
}
