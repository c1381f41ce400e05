import { setTimeout as delay } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { SignatureLog } from './signature-log.ts'

/** Empties the log ten times, as the counting thread does, and ends. */
const log = new SignatureLog(workerData as string)
for (let times = 0; times < 10; times++) {
  await delay(50)
  log.empty()
}
log.close()
