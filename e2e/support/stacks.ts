import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { startWaymark, type Waymark } from './waymark.ts'

/** Asks the test run for a real server, as scripts/services/vitest-setup.ts describes. */
export async function askServices(path: string): Promise<Record<string, string>> {
  const response = await fetch(`${inject('services')}/${path}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text) as Record<string, string>
}

/** The settings of a stack that keeps its data on this machine's own file system. */
const embedded = (): Promise<Record<string, string>> => Promise.resolve({})

/** A folder of its own in the one bucket: files are named by their content, and others hold the same pictures. */
export async function newBucketFolder(): Promise<string> {
  const url = new URL((await askServices('s3'))['url'] ?? '')
  url.pathname += `/${randomUUID()}`
  return url.href
}

/**
 * The settings of a stack on PostgreSQL, Redis and S3, which shares nothing with the stacks of files that run at the
 * same time: Redis counts requests by address, and here all come from the same one. The tables are there already, except
 * for those who ask for an empty database.
 */
export async function servers(database: 'copy' | 'create' = 'copy'): Promise<Record<string, string>> {
  const [postgres, redis, s3] = await Promise.all([
    askServices(`postgres/${database}`),
    askServices('own/redis'),
    newBucketFolder(),
  ])
  return {
    DATABASE_URL: postgres['url'] ?? '',
    REDIS_URL: redis['url'] ?? '',
    S3_URL: s3,
    SECRET_KEY: 'a secret for tests that nobody else knows',
    // All files share one PostgreSQL, which may be busy for longer than an operator would let a request wait.
    DATABASE_CONNECT_TIMEOUT_MS: '60000',
  }
}

export const stacks = { embedded, servers: () => servers() } as const

/** The same stacks before their first start. */
export const emptyStacks = { embedded, servers: () => servers('create') } as const

/** Runs tests with one server for all of them: on the embedded stack, unless PostgreSQL, Redis or S3 matters. */
export function onStack(
  stack: keyof typeof stacks,
  body: (waymark: () => Waymark) => void,
  settings: Record<string, string> = {},
): void {
  describe(stack, () => {
    let running: Waymark | undefined
    beforeAll(async () => {
      running = await startWaymark({ ...(await stacks[stack]()), ...settings })
    })
    afterAll(() => running?.stop())
    body(() => {
      if (running === undefined) throw new Error('not started yet')
      return running
    })
  })
}

/**
 * Runs the same tests on both stacks: where storage, several processes or faults can make a difference. Stores have
 * tests on both databases beside them, so that most files need the embedded stack only.
 */
export function forEachStack(
  body: (waymark: () => Waymark, stack: keyof typeof stacks) => void,
  settings: Record<string, string> = {},
): void {
  for (const stack of Object.keys(stacks) as (keyof typeof stacks)[])
    onStack(stack, (waymark) => body(waymark, stack), settings)
}
