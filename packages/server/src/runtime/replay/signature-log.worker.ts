import { parentPort, workerData } from 'node:worker_threads'
import { SignatureLog } from './signature-log.ts'

/** Empties the log again and again until it is told to end, then reports how often. */
const log = new SignatureLog(workerData as string)
let emptied = 0
const emptying = setInterval(() => {
  log.empty()
  emptied++
}, 5)
parentPort?.once('message', () => {
  clearInterval(emptying)
  log.close()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(emptied)
})
