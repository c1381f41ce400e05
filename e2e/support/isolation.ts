import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { expect } from 'vitest'
import type { BystanderReport, BystanderTask } from './bystander-worker.ts'
import { post } from './requests.ts'
import type { Account, Waymark } from './waymark.ts'

/** What must hold for all others while an attack runs, on an otherwise idle machine. */
const REDIRECT_MS = 100
const SIGN_IN_MS = 2_000
/** On top of ten times as long as a server that does nothing else takes: the machine may be busy with other tests. */
const MARGIN = 10
/** The slowest few are the machine's. Of fewer than twenty, the slowest counts. */
const SHARE = 0.95
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

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0

const told = (times: readonly number[]): string =>
  `${times.length} (median ${percentile(times, 0.5).toFixed(1)}, p95 ${percentile(times, SHARE).toFixed(1)}, slowest ${percentile(times, 1).toFixed(1)} ms)`

/**
 * Has a bystander visit a link and sign in for as long as the attack runs, on a thread of its own, so that the attack's
 * own work does not count. Prints how long both took, and holds them against what must stay true, with a margin.
 */
export async function whileAttacked<T>(
  waymark: Waymark,
  name: string,
  { account: { email, password }, code }: Bystander,
  attack: () => Promise<T>,
): Promise<T> {
  const task: BystanderTask = { port: waymark.port, code, email, password, from: ELSEWHERE }
  const worker = new Worker(new URL('./bystander-worker.ts', import.meta.url), { workerData: task })
  await once(worker, 'message')
  try {
    const outcome = await attack()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage('stop')
    const [{ redirects, controls, signIns, faults }] = (await once(worker, 'message')) as [BystanderReport]
    console.log(`${name}: redirects ${told(redirects)}, sign-ins ${told(signIns)}, control ${told(controls)}`)
    const machineMs = percentile(controls, SHARE)
    expect(faults).toEqual([])
    expect(percentile(redirects, SHARE)).toBeLessThan(MARGIN * (REDIRECT_MS + machineMs))
    expect(percentile(signIns, SHARE)).toBeLessThan(MARGIN * (SIGN_IN_MS + machineMs))
    return outcome
  } finally {
    await worker.terminate()
  }
}

const TICKS_PER_SECOND = 100

/** Processor time that a server has used, which other work on the machine does not change. */
export async function cpuSeconds({ pid }: Waymark): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / TICKS_PER_SECOND
}
