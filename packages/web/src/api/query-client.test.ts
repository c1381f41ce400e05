import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

// Both read their environment when they are loaded; on a server nothing is polled.
vi.stubGlobal('window', globalThis)
vi.stubGlobal('location', { origin: 'https://way.example' })
const { QueryClient, QueryObserver } = await import('@tanstack/react-query')
const { pollEvery } = await import('./query-client.ts')

afterAll(() => void vi.unstubAllGlobals())
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** How often a query is sent within ten minutes. */
async function asked(everyMs: number, answer: (nth: number) => Promise<string>): Promise<number> {
  let requests = 0
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const observer = new QueryObserver<string>(client, {
    queryKey: ['polled'],
    queryFn: () => answer(++requests),
    refetchInterval: pollEvery(everyMs),
    refetchIntervalInBackground: true,
  })
  const stop = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(600_000)
  stop()
  client.clear()
  return requests
}

describe('polling', () => {
  const fails = () => Promise.reject(new Error('503'))
  const works = () => Promise.resolve('figures')

  it('slows down while it fails, and recovers', async () => {
    expect(await asked(5_000, works)).toBeGreaterThan(115)
    expect(await asked(5_000, fails)).toBeLessThanOrEqual(12)
    expect(await asked(1_000, fails)).toBeLessThanOrEqual(32)
    // One minute of failures, then nine of responses.
    expect(await asked(5_000, (nth) => (nth === 1 ? fails() : works()))).toBeGreaterThan(100)
    expect(await asked(120_000, fails)).toBeLessThanOrEqual(6)
  })

  it('stops when there is nothing to wait for', () => {
    expect(pollEvery(() => false)({ state: { status: 'error' } })).toBe(false)
    expect(pollEvery(() => false)({ state: { status: 'success' } })).toBe(false)
  })
})
