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

/** The settings of a stack on PostgreSQL, Redis and S3. */
export async function servers(): Promise<Record<string, string>> {
  const [postgres, redis, s3] = await Promise.all([
    askServices('postgres/create'),
    askServices('redis'),
    askServices('s3'),
  ])
  return {
    DATABASE_URL: postgres['url'] ?? '',
    REDIS_URL: redis['url'] ?? '',
    S3_URL: s3['url'] ?? '',
    SECRET_KEY: 'a secret for tests that nobody else knows',
  }
}

export const stacks = { embedded, servers } as const

/** Runs the same tests on the embedded stack and on PostgreSQL, Redis and S3. */
export function forEachStack(
  body: (waymark: () => Waymark, stack: keyof typeof stacks) => void,
  settings: Record<string, string> = {},
): void {
  for (const stack of Object.keys(stacks) as (keyof typeof stacks)[]) {
    describe(stack, () => {
      let running: Waymark | undefined
      beforeAll(async () => {
        running = await startWaymark({ ...(await stacks[stack]()), ...settings })
      })
      afterAll(() => running?.stop())
      body(() => {
        if (running === undefined) throw new Error('not started yet')
        return running
      }, stack)
    })
  }
}
