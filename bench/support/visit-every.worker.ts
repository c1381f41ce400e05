// Asks for a short link every 5 ms, whether the one before was answered or not, until it is told to stop.
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 5
const agent = new Agent({ keepAlive: true })
const waits: number[] = []
const pending = new Set<Promise<void>>()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const tell = (message: unknown): void => parentPort?.postMessage(message)

const visit = (): Promise<void> => {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    get(workerData as string, { agent }, (response) => {
      response.resume()
      response.once('end', () => {
        waits.push(performance.now() - startedAt)
        resolve()
      })
    }).once('error', reject)
  })
}

// The first ones make connections and load code.
for (let n = 0; n < 20; n++) await visit()
waits.length = 0
const timer = setInterval(() => {
  const running = visit().finally(() => pending.delete(running))
  pending.add(running)
}, EVERY_MS)
parentPort?.once('message', () => {
  clearInterval(timer)
  void Promise.all(pending).then(() => {
    agent.destroy()
    tell(waits)
  })
})
tell('ready')
