import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered, get, post, sign } from './support/requests.ts'
import { stacks } from './support/stacks.ts'
import { type Account, startWaymark, type Waymark } from './support/waymark.ts'

/** A window is a minute of the clock: what is counted must not straddle two. */
const untilRoomInMinute = async (seconds: number): Promise<void> => {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < seconds * 1000) await new Promise((resolve) => setTimeout(resolve, left + 50))
}

describe.each(Object.keys(stacks) as (keyof typeof stacks)[])('limits on the %s stack', (stack) => {
  let waymark: Waymark
  let account: Account
  beforeAll(async () => {
    waymark = await startWaymark({
      ...(await stacks[stack]()),
      RATE_LIMIT_READ: '8',
      RATE_LIMIT_WRITE: '12',
      RATE_LIMIT_SESSION: '30',
      TRUST_PROXY: 'on',
      CORS_ORIGINS: 'https://app.example.com',
    })
    account = await waymark.account()
  })
  afterAll(() => waymark.stop())
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const health = async (address: string) =>
    answered(await fetch(`${waymark.url}/v1/healthcheck`, { headers: from(address) }))

  it('count down per address and answer 429 with retry-after', async () => {
    await untilRoomInMinute(10)
    const answers = []
    for (let n = 0; n < 10; n++) answers.push(await health('198.51.100.1'))
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 8 }, () => 200), 429, 429])
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(
      [7, 6, 5, 4, 3, 2, 1, 0, 0, 0].map(String),
    )
    expect(answers[0]?.headers.get('x-ratelimit-limit')).toBe('8')
    expect(Number(answers[9]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await health('198.51.100.2')).status).toBe(200)
  })

  it('count an IPv6 customer as one', async () => {
    await untilRoomInMinute(10)
    for (let n = 0; n < 8; n++) expect((await health(`2001:db8:1:1::${n}`)).status).toBe(200)
    expect((await health('2001:db8:1:1:ffff::1')).status).toBe(429)
    expect((await health('2001:db8:1:2::1')).status).toBe(200)
  })

  it('count a key by itself, reads apart from writes, wherever it calls from', async () => {
    await untilRoomInMinute(15)
    const own = await waymark.account()
    const reads = []
    for (let n = 0; n < 9; n++)
      reads.push((await get(waymark, own, '/v1/links', from(`203.0.113.${n}`))).status)
    expect(reads).toEqual([...Array.from({ length: 8 }, () => 200), 429])
    const write = await post(
      waymark,
      own,
      '/v1/generate-link',
      { link: 'https://example.com' },
      from('203.0.113.9'),
    )
    expect([write.status, write.headers.get('x-ratelimit-limit')]).toEqual([201, '12'])
  })

  it('count failed authentication against the address alone, and answer 429 in place of 401', async () => {
    await untilRoomInMinute(15)
    const own = await waymark.account()
    const forged = () => ({
      ...sign({ ...own, secret: 'wrong' }, 'GET', '/v1/current-plan'),
      ...from('192.0.2.66'),
    })
    const statuses = []
    for (let n = 0; n < 10; n++)
      statuses.push((await fetch(`${waymark.url}/v1/current-plan`, { headers: forged() })).status)
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 401), 429, 429])
    const right = await get(waymark, own, '/v1/current-plan', from('192.0.2.66'))
    expect([right.status, right.headers.get('x-ratelimit-remaining')]).toEqual([200, '7'])
  })

  it('answer 429 for unknown paths, too', async () => {
    await untilRoomInMinute(10)
    const statuses = []
    for (let n = 0; n < 9; n++)
      statuses.push((await fetch(`${waymark.url}/v1/nothing`, { headers: from('192.0.2.77') })).status)
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 404), 429])
  })

  it('leave the probes alone', async () => {
    for (let n = 0; n < 40; n++) expect((await fetch(`${waymark.url}/livez`)).status).toBe(200)
  })

  it('let the configured origins in, and no other', async () => {
    const call = (origin: string, method = 'GET') =>
      fetch(`${waymark.url}/v1/links`, {
        method,
        headers: { origin, 'x-api-key': account.apiKey, ...from('192.0.2.88') },
      })
    const allowed = await call('https://app.example.com')
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect((await call('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
    const preflight = await fetch(`${waymark.url}/v1/generate-link`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-signature')
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    const head = await call('https://app.example.com', 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})
