import { parentPort, workerData } from 'node:worker_threads'
import { call, Visitor } from './visitors.ts'

/** What a bystander does: visits a link and signs in, from an address of its own. */
export interface BystanderTask {
  readonly port: number
  readonly code: string
  readonly email: string
  readonly password: string
  readonly from: string
}

/** How long each took, in milliseconds, and what was not answered as it should be. */
export interface BystanderReport {
  readonly redirects: number[]
  readonly signIns: number[]
  readonly faults: string[]
}

const REDIRECT_EVERY_MS = 25
const SIGN_IN_EVERY_MS = 400

const task = workerData as BystanderTask
const report: BystanderReport = { redirects: [], signIns: [], faults: [] }
const pending = new Set<Promise<void>>()

const expectStatus = async (times: number[], wanted: number, ask: () => Promise<{ status: number }>) => {
  const startedAt = performance.now()
  try {
    const { status } = await ask()
    if (status !== wanted) report.faults.push(`answered ${status}, not ${wanted}`)
  } catch (error) {
    report.faults.push(String(error))
  }
  times.push(performance.now() - startedAt)
}

/** At a fixed rate, whether the one before was answered or not: a pause of the server then delays many, not one. */
const everyMs = (ms: number, step: () => Promise<void>): NodeJS.Timeout => {
  const start = (): void => {
    const running = step()
    pending.add(running)
    void running.finally(() => pending.delete(running))
  }
  start()
  return setInterval(start, ms)
}

const visit = (): Promise<void> =>
  expectStatus(report.redirects, 302, () => call(task, 'GET', `/${task.code}`, { from: task.from }))
const signIn = (): Promise<void> =>
  expectStatus(report.signIns, 200, () => new Visitor(task, task.from).signIn(task.email, task.password))

await visit()
report.redirects.length = 0
const timers = [everyMs(REDIRECT_EVERY_MS, visit), everyMs(SIGN_IN_EVERY_MS, signIn)]

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage('ready')
parentPort?.once('message', () => {
  for (const timer of timers) clearInterval(timer)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void Promise.all(pending).then(() => parentPort?.postMessage(report))
})
