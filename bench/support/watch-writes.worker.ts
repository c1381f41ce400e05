import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createClient } from '@waymark/sdk'
import type { WatchedAccount } from './watch-writes.ts'

const PAUSE_MS = 5

const client = createClient(workerData as WatchedAccount)
const waitsMs: number[] = []
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.on('message', () => parentPort?.postMessage(waitsMs.splice(0)))

for (let n = 0; ; n++) {
  const startedMs = performance.now()
  await client.generateLink({ link: `https://example.com/${n}` })
  waitsMs.push(performance.now() - startedMs)
  await delay(PAUSE_MS)
}
