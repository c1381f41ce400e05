import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { expect } from 'vitest'
import type { BystanderReport, BystanderTask } from './bystander-worker.ts'
import { watchMemory } from './memory.ts'
import { post } from './requests.ts'
import { type Account, METRICS_TOKEN, type Waymark } from './waymark.ts'

/** Where bystanders come from. */
const ELSEWHERE = '127.0.0.99'

/** Another account of the same instance, and a short link of it. */
export interface Bystander {
  readonly account: Account
  readonly code: string
}

export async function newBystander(waymark: Waymark): Promise<Bystander> {
  const account = await waymark.account()
  const { body } = await post(waymark, account, '/v1/generate-link', {
    link: 'https://example.com/elsewhere',
  })
  return { account, code: (body as { data: { code: string } }).data.code }
}

/** What an attack may cost, on any machine. */
export interface Cost {
  /** Processor time of the thread that serves visitors: while it works for one, all others wait. */
  readonly servingSeconds: number
  /** Private memory of the server at its peak. */
  readonly megabytes: number
}

/**
 * Has a bystander visit a link and sign in for as long as the attack runs, on a thread of its own, so that the attack's
 * own work does not count. Each of these requests must succeed, the attack must keep within its cost, and no queue may be
 * left behind. How long the bystander waited is printed, not asserted: it depends on what else the machine does.
 */
export async function whileAttacked<T>(
  waymark: Waymark,
  name: string,
  { account: { email, password }, code }: Bystander,
  most: Cost,
  attack: () => Promise<T>,
): Promise<T> {
  const task: BystanderTask = { port: waymark.port, code, email, password, from: ELSEWHERE }
  const worker = new Worker(new URL('./bystander-worker.ts', import.meta.url), { workerData: task })
  await once(worker, 'message')
  const memory = watchMemory(waymark)
  try {
    const before = await servingSeconds(waymark)
    const outcome = await attack()
    const serving = (await servingSeconds(waymark)) - before
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage('stop')
    const [{ redirects, signIns, faults }] = (await once(worker, 'message')) as [BystanderReport]
    console.log(
      `${name}: ${serving.toFixed(2)} s of the serving thread, ${memory.peak().toFixed(0)} MB; ` +
        `redirects ${inWords(redirects)}, sign-ins ${inWords(signIns)}`,
    )
    expect(faults).toEqual([])
    expect(serving).toBeLessThan(most.servingSeconds)
    expect(memory.peak()).toBeLessThan(most.megabytes)
    await expect.poll(() => waitingWork(waymark)).toBe(0)
    return outcome
  } finally {
    memory.stop()
    await worker.terminate()
  }
}

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0

const inWords = (times: readonly number[]): string =>
  `${times.length} (median ${percentile(times, 0.5).toFixed(1)}, p95 ${percentile(times, 0.95).toFixed(1)}, slowest ${percentile(times, 1).toFixed(1)} ms)`

/** Expensive work that waits for its turn, in all queues. */
async function waitingWork({ url }: Waymark): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  const lines = [...text.matchAll(/^waymark_admission_waiting\{.*\} (\d+)$/gm)]
  expect(lines.length).toBeGreaterThan(0)
  return lines.reduce((sum, [, waiting]) => sum + Number(waiting), 0)
}

const TICKS_PER_SECOND = 100

async function secondsOf(file: string): Promise<number> {
  const stat = await readFile(file, 'utf8')
  // The name in parentheses may hold spaces; user and system time are the 12th and 13th values after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Processor time that a server has used, which other work on the machine hardly changes. */
export const cpuSeconds = ({ pid }: Waymark): Promise<number> => secondsOf(`/proc/${pid}/stat`)

/** The same of the thread that serves visitors. */
export const servingSeconds = ({ pid }: Waymark): Promise<number> =>
  secondsOf(`/proc/${pid}/task/${pid}/stat`)
