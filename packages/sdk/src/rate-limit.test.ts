import { describe, expect, it } from 'vitest'
import { createClient } from './index.ts'

/*
 * A list of 100,000 links while other clients use up the limit of the same key. The clock is simulated: every request
 * takes 20 ms, and waiting takes no time at all.
 */

const LINKS = 100_000
const LIMIT = 60
const WINDOW_MS = 60_000
const REQUEST_MS = 20

interface Simulation {
  nowMs: number
  window: number
  used: number
  refused: number
}

const count = (state: Simulation, requests: number): boolean => {
  const window = Math.floor(state.nowMs / WINDOW_MS)
  if (window !== state.window) Object.assign(state, { window, used: 0 })
  if (state.used >= LIMIT) return false
  state.used = Math.min(LIMIT, state.used + requests)
  return true
}

const answerTo = (state: Simulation, url: string): Response => {
  if (!count(state, 1)) {
    state.refused++
    const seconds = Math.ceil((WINDOW_MS - (state.nowMs % WINDOW_MS)) / 1000)
    return Response.json({ error: 'Slow down' }, { status: 429, headers: { 'retry-after': String(seconds) } })
  }
  const { searchParams } = new URL(url)
  const limit = Number(searchParams.get('limit'))
  const from = Number(searchParams.get('cursor') ?? 0)
  const data = Array.from({ length: Math.min(limit, LINKS - from) }, (_, at) => from + at)
  const next = from + limit < LINKS ? String(from + limit) : null
  return Response.json({ data, meta: { count: data.length, total: LINKS, next_cursor: next } })
}

const simulate = (othersPerRequest: number) => {
  const state: Simulation = { nowMs: 1_000, window: -1, used: 0, refused: 0 }
  const client = createClient({
    baseUrl: 'http://waymark.example',
    apiKey: 'wm_key',
    now: () => state.nowMs,
    random: () => 0.5,
    wait: (ms) => Promise.resolve(void (state.nowMs += ms)),
    fetch: (input) => {
      state.nowMs += REQUEST_MS
      count(state, othersPerRequest)
      return Promise.resolve(answerTo(state, input as string))
    },
  })
  return { state, client }
}

describe('a list of 100,000 links', () => {
  it.each([0, 1, 5])('finishes while others send %i requests for each of ours', async (others) => {
    const { state, client } = simulate(others)
    let inOrder = 0
    for await (const link of client.links()) if (Number(link) === inOrder) inOrder++
    expect(inOrder).toBe(LINKS)
    expect(state.refused).toBeGreaterThan(0)
  })

  it('ends with a RateLimitError when others leave nothing', async () => {
    const { client } = simulate(LIMIT)
    await expect(client.links()).rejects.toMatchObject({ name: 'RateLimitError', status: 429 })
  })
})
