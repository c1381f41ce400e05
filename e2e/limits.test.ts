import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilRoomInMinute } from './support/minutes.ts'
import { get, json, post, sign } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'
import { call, type Heard, newEmail, Visitor } from './support/visitors.ts'
import { type Account, startWaymark, type Waymark } from './support/waymark.ts'

/** Blank is as good as unset. */
const DEFAULTS = { RATE_LIMIT_READ: '', RATE_LIMIT_WRITE: '', RATE_LIMIT_SESSION: '' }
const HEALTH = '/v1/healthcheck'

const limitOf = ({ headers }: Heard): [number, number] => [
  Number(headers['x-ratelimit-limit']),
  Number(headers['x-ratelimit-remaining']),
]

/** So many requests, a few at a time; the answers in the order sent. */
const many = async <T>(count: number, send: (n: number) => Promise<T>): Promise<T[]> => {
  const answers: T[] = []
  for (let n = 0; n < count; n += 20)
    answers.push(
      ...(await Promise.all(Array.from({ length: Math.min(20, count - n) }, (_, k) => send(n + k)))),
    )
  return answers
}

const countOf = (answers: readonly { status: number }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

forEachStack((waymark, stack) => {
  let account: Account
  const block = stack === 'embedded' ? 30 : 60
  beforeAll(async () => {
    account = await waymark().account()
  })
  const from = (n: number): { from: string } => ({ from: `127.0.0.${block + n}` })

  it('60 reads of an address in a minute, and the 61st is 429', async () => {
    await untilRoomInMinute()
    const first = await call(waymark(), 'GET', HEALTH, from(1))
    const second = await call(waymark(), 'HEAD', HEALTH, from(1))
    expect([limitOf(first), limitOf(second)]).toEqual([
      [60, 59],
      [60, 58],
    ])
    const rest = await many(58, () => call(waymark(), 'GET', HEALTH, from(1)))
    expect(countOf(rest, 200)).toBe(58)
    const over = await call(waymark(), 'GET', HEALTH, from(1))
    expect([over.status, limitOf(over)]).toEqual([429, [60, 0]])
    expect(over.body).toEqual({ error: expect.any(String) })
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(over.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await call(waymark(), 'GET', HEALTH, from(2))).status).toBe(200)
    const live = await many(100, () => call(waymark(), 'GET', '/livez', from(1)))
    expect(countOf(live, 200)).toBe(100)
    // A valid key has counts of its own, whatever the address has used up.
    for (const headers of [{ 'x-api-key': account.apiKey }, sign(account, 'GET', '/v1/links')]) {
      const known = await call(waymark(), 'GET', '/v1/links', { ...from(1), headers })
      expect([known.status, limitOf(known)]).toEqual([200, [60, 59]])
    }
  })

  it('60 reads and 600 writes of a key, counted apart', async () => {
    await untilRoomInMinute()
    const person = await waymark().account()
    const reads = await many(61, (n) =>
      call(waymark(), 'GET', '/v1/links', {
        ...from(3 + (n % 3)),
        headers: sign(person, 'GET', '/v1/links'),
      }),
    )
    expect([countOf(reads, 200), countOf(reads, 429)]).toEqual([60, 1])
    const { digest } = json({})
    const writes = await many(601, (n) =>
      call(waymark(), 'POST', '/v1/generate-link', {
        ...from(3 + (n % 3)),
        headers: sign(person, 'POST', '/v1/generate-link', digest),
        body: {},
      }),
    )
    expect([countOf(writes, 422), countOf(writes, 429)]).toEqual([600, 1])
    expect(limitOf(writes[0] as Heard)[0]).toBe(600)
    expect(
      (await call(waymark(), 'GET', '/v1/links', { ...from(3), headers: { 'x-api-key': account.apiKey } }))
        .status,
    ).toBe(200)
  })

  it('unsigned requests use up the key for their own address alone', async () => {
    await untilRoomInMinute()
    const person = await waymark().account()
    const headers = { 'x-api-key': person.apiKey }
    const strangers = await many(61, () => call(waymark(), 'GET', '/v1/links', { ...from(10), headers }))
    expect([countOf(strangers, 200), countOf(strangers, 429)]).toEqual([60, 1])
    const writes = await many(601, () =>
      call(waymark(), 'POST', '/v1/generate-link', { ...from(10), headers, body: {} }),
    )
    expect([countOf(writes, 422), countOf(writes, 429)]).toEqual([600, 1])
    const elsewhere = await call(waymark(), 'GET', '/v1/links', { ...from(11), headers })
    expect([elsewhere.status, limitOf(elsewhere)]).toEqual([200, [60, 59]])
    for (const address of [10, 11]) {
      const signed = sign(person, 'GET', '/v1/links')
      const own = await call(waymark(), 'GET', '/v1/links', { ...from(address), headers: signed })
      expect([own.status, limitOf(own)]).toEqual([200, [60, 69 - address]])
    }
  })

  it('failed authentication uses up the address, and never the key', async () => {
    await untilRoomInMinute()
    const person = await waymark().account()
    const forged = { ...sign(person, 'GET', '/v1/current-plan'), 'x-signature': 'f'.repeat(64) }
    const strangers = await many(70, () =>
      call(waymark(), 'GET', '/v1/current-plan', { ...from(6), headers: forged }),
    )
    expect([countOf(strangers, 401), countOf(strangers, 429)]).toEqual([60, 10])
    const guesses = await many(70, (n) =>
      call(waymark(), 'GET', '/v1/links', { ...from(7), headers: { 'x-api-key': `wm_${n}` } }),
    )
    expect([countOf(guesses, 401), countOf(guesses, 429)]).toEqual([60, 10])
    const nothing = await many(61, () => call(waymark(), 'GET', '/v1/nothing', from(8)))
    expect([countOf(nothing, 404), countOf(nothing, 429)]).toEqual([60, 1])
    const own = await get(waymark(), person, '/v1/current-plan')
    expect([own.status, own.headers.get('x-ratelimit-remaining')]).toEqual([200, '59'])
    // Not even from the address that is used up.
    const headers = sign(person, 'GET', '/v1/current-plan')
    expect((await call(waymark(), 'GET', '/v1/current-plan', { ...from(6), headers })).status).toBe(200)
  })

  it('600 of either for a session', async () => {
    await untilRoomInMinute()
    const visitor = new Visitor(waymark(), from(9).from)
    await visitor.signUp(newEmail())
    const read = await visitor.get('/v1/profile')
    const write = await visitor.post('/v1/update-personal-info', {})
    expect([limitOf(read), limitOf(write)]).toEqual([
      [600, 599],
      [600, 598],
    ])
    const rest = await many(599, () => visitor.get('/v1/profile'))
    expect([countOf(rest, 200), countOf(rest, 429)]).toEqual([598, 1])
  })
}, DEFAULTS)

describe('behind a proxy', () => {
  const seenAs = async (waymark: Waymark, address: string): Promise<number> =>
    limitOf(await call(waymark, 'GET', HEALTH, { headers: { 'x-forwarded-for': address } }))[1]

  it('addresses are those that a trusted proxy tells, one for each IPv6 network', async () => {
    const waymark = await startWaymark({ ...DEFAULTS, TRUST_PROXY: 'on' })
    await untilRoomInMinute()
    expect(await seenAs(waymark, '203.0.113.1')).toBe(59)
    expect(await seenAs(waymark, '203.0.113.1')).toBe(58)
    expect(await seenAs(waymark, '203.0.113.2')).toBe(59)
    expect(await seenAs(waymark, '2001:db8:1:2::1')).toBe(59)
    expect(await seenAs(waymark, '2001:db8:1:2:ffff::9')).toBe(58)
    expect(await seenAs(waymark, '2001:db8:1:3::1')).toBe(59)
    await waymark.stop()
  })

  it('addresses are those of the connection when no proxy is trusted, or another one', async () => {
    for (const TRUST_PROXY of ['off', '192.0.2.0/24']) {
      const waymark = await startWaymark({ ...DEFAULTS, TRUST_PROXY })
      await untilRoomInMinute()
      const first = await seenAs(waymark, '203.0.113.1')
      expect(await seenAs(waymark, '203.0.113.2')).toBe(first - 1)
      await waymark.stop()
    }
  })
})

describe('other origins', () => {
  const APP = 'https://app.example.com'
  let waymark: Waymark
  let account: Account
  beforeAll(async () => {
    waymark = await startWaymark({ CORS_ORIGINS: `${APP}, https://other.example.com:8443` })
    account = await waymark.account()
  })
  afterAll(() => waymark.stop())
  const asked = (method: string, path: string, origin: string, headers: Record<string, string> = {}) =>
    call(waymark, method, path, { headers: { origin, ...headers } })

  it('may read answers, refusals too, when they are named', async () => {
    for (const path of [HEALTH, '/v1/links', '/v1/nothing']) {
      const { headers } = await asked('GET', path, APP)
      expect([headers['access-control-allow-origin'], headers['vary']]).toEqual([APP, 'Origin'])
      expect(headers['access-control-expose-headers']).toContain('x-ratelimit-remaining')
      expect(headers['access-control-allow-credentials']).toBe(undefined)
    }
  })

  it('may not when they are not', async () => {
    for (const origin of [
      'https://evil.example.com',
      'https://app.example.com.evil.com',
      'null',
      'http://app.example.com',
    ]) {
      const { headers } = await asked('GET', HEALTH, origin)
      expect([headers['access-control-allow-origin'], headers['vary']]).toEqual([undefined, 'Origin'])
    }
  })

  it('ask first without credentials', async () => {
    const wanted = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' }
    const { status, headers, body } = await asked('OPTIONS', '/v1/generate-link', APP, wanted)
    expect([status, body]).toEqual([204, ''])
    expect(headers['access-control-allow-origin']).toBe(APP)
    expect(headers['access-control-allow-methods']).toContain('POST')
    const custom = ['X-API-KEY', 'X-SIGNATURE', 'X-TIMESTAMP', 'Idempotency-Key', 'If-Match', 'Prefer']
    for (const name of [...custom, 'Content-Type'])
      expect(headers['access-control-allow-headers']).toContain(name)
    const stranger = await asked('OPTIONS', '/v1/generate-link', 'https://evil.example.com', wanted)
    expect([stranger.status, stranger.headers['access-control-allow-methods']]).toEqual([204, undefined])
  })

  it('get for HEAD what they get for GET, without the body', async () => {
    const [read, head] = [
      await get(waymark, account, '/v1/current-plan'),
      sign(account, 'HEAD', '/v1/current-plan'),
    ]
    const answer = await call(waymark, 'HEAD', '/v1/current-plan', { headers: head })
    expect([answer.status, answer.body]).toEqual([200, ''])
    for (const name of ['content-type', 'cache-control', 'vary', 'content-length'])
      expect([name, answer.headers[name]]).toEqual([name, read.headers.get(name)])
    expect((await call(waymark, 'HEAD', '/v1/current-plan')).status).toBe(401)
    expect((await call(waymark, 'HEAD', '/v1/generate-link')).status).toBe(405)
  })

  it('are not asked for by anybody who has no browser', async () => {
    const { status } = await post(
      waymark,
      account,
      '/v1/generate-link',
      json({ link: 'https://example.com/' }),
    )
    expect(status).toBe(201)
  })
})
