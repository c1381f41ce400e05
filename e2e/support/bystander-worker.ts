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
const SIGN_IN_PAUSE_MS = 300
/** Fewer than an address may try at one account in a minute, and in the next one. */
const MAX_SIGN_INS = 14

const task = workerData as BystanderTask
const report: BystanderReport = { redirects: [], signIns: [], faults: [] }
const stopping = new AbortController()
const pending = new Set<Promise<void>>()

const expectStatus = async (
  times: number[],
  wanted: number,
  ask: () => Promise<{ status: number }>,
): Promise<void> => {
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
const everyMs = (ms: number, step: () => Promise<void>): NodeJS.Timeout =>
  setInterval(() => {
    const running = step()
    pending.add(running)
    void running.finally(() => pending.delete(running))
  }, ms)

/** One after another: more would be a load of their own. */
const signInRepeatedly = async (): Promise<void> => {
  const visitor = new Visitor(task, task.from)
  for (let left = MAX_SIGN_INS; left > 0 && !stopping.signal.aborted; left--) {
    await expectStatus(report.signIns, 200, () => visitor.signIn(task.email, task.password))
    await new Promise((resolve) => setTimeout(resolve, SIGN_IN_PAUSE_MS))
  }
}

const visit = (): Promise<void> =>
  expectStatus(report.redirects, 302, () => call(task, 'GET', `/${task.code}`, { from: task.from }))

// The first connection is slower than any other, and says nothing.
await visit()
report.redirects.length = 0

const timer = everyMs(REDIRECT_EVERY_MS, visit)
const signIns = signInRepeatedly()

const finish = async (): Promise<void> => {
  stopping.abort()
  clearInterval(timer)
  await Promise.all([signIns, ...pending])
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(report)
}
parentPort?.once('message', () => void finish())
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage('ready')
