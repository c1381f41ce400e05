import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Load, type Seen } from './support/traffic.ts'
import { untilRoomInMinute } from './support/minutes.ts'
import { type Proxy, startProxy } from './support/proxy.ts'
import { answered, freshMs, get, json, post, sign } from './support/requests.ts'
import { connectTo } from './support/postgres-client.ts'
import { qrWithLogo } from './support/qr-with-logo.ts'
import { askServices } from './support/stacks.ts'
import { type Account, type Waymark, startWaymark } from './support/waymark.ts'

/** Two nodes on PostgreSQL, Redis and S3, with a little traffic all the while, and one part failing after the other. */
const OUTAGE_MS = 20_000
const SESSION_LIMIT = 30
const WELL = { status: 'ready', checks: { redis: 'ok' } }
const HOT = Array.from({ length: 10 }, (_, n) => `hot-${n}`)

let postgres: Record<string, string>
let redis: Record<string, string>
let s3: Record<string, string>
let wire: Proxy
let a: Waymark
let b: Waymark
let account: Account
let admin: Client
let load: Load

const service = (which: Record<string, string>, command: string): Promise<unknown> =>
  askServices(`own/${which['id']}/${command}`)

beforeAll(async () => {
  ;[postgres, redis, s3] = await Promise.all([
    askServices('own/postgres'),
    askServices('own/redis'),
    askServices('own/s3'),
  ])
  const { hostname: host, port } = new URL(redis['url'] ?? '')
  wire = await startProxy({ host, port: Number(port) })
  const settings = {
    DATABASE_URL: postgres['url'] ?? '',
    S3_URL: s3['url'] ?? '',
    SECRET_KEY: 'a secret for tests that nobody else knows',
    DATABASE_STATEMENT_TIMEOUT_MS: '3000',
    RATE_LIMIT_SESSION: String(SESSION_LIMIT),
    LOG_LEVEL: 'error',
  }
  a = await startWaymark({ ...settings, REDIS_URL: redis['url'] ?? '' })
  b = await startWaymark({ ...settings, REDIS_URL: `redis://127.0.0.1:${wire.port}` })
  account = await a.account()
  for (const code of HOT) {
    const made = await post(a, account, '/v1/generate-link', {
      link: `https://example.com/${code}`,
      customLink: code,
    })
    expect(made.status).toBe(201)
  }
  admin = await connectTo(postgres['adminUrl'])
  load = new Load([a, b], account, HOT)
  load.start()
  await delay(2_000)
})
afterAll(async () => {
  await load?.stop()
  await admin?.end().catch(() => undefined)
  wire?.close()
  await Promise.all([a?.stop(), b?.stop()])
})

const statuses = (seen: readonly Seen[], kind: Seen['kind']): number[] =>
  [...new Set(seen.filter((one) => one.kind === kind).map((one) => one.status))].sort((x, y) => x - y)

/** Never a 500, never a hang, and whoever is sent away is told when to come again. */
const expectOrderly = (seen: readonly Seen[]): void => {
  expect(seen.filter(({ status }) => ![201, 302, 503].includes(status))).toEqual([])
  expect(seen.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual([])
}

/** Everything works again without anybody's help. */
const expectRecovered = async (): Promise<void> => {
  const allWell = async (): Promise<number[][]> => {
    const seen = await load.during(() => delay(1_500))
    expectOrderly(seen)
    return [statuses(seen, 'redirect'), statuses(seen, 'create')]
  }
  await expect.poll(allWell, { interval: 1 }).toEqual([[302], [201]])
  for (const { url } of [a, b])
    await expect.poll(async () => (await fetch(`${url}/readyz`)).json()).toMatchObject(WELL)
}

const sessionOf = async ({ url }: Waymark): Promise<string> => {
  const response = await fetch(`${url}/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: account.email, password: account.password }),
  })
  expect(response.status).toBe(200)
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** How many of as many requests as both limits together allow get through, in one minute. */
const allowed = async (cookie: string): Promise<number> => {
  await untilRoomInMinute()
  let passed = 0
  for (let n = 0; n < 2 * SESSION_LIMIT; n++) {
    const { url } = n % 2 === 0 ? a : b
    const { status } = await fetch(`${url}/v1/current-plan`, { headers: { cookie } })
    if (status === 200) passed++
    else expect(status).toBe(429)
  }
  return passed
}

/** How often one signature is taken, tried on both nodes at once. */
const taken = async (): Promise<number> => {
  const target = '/v1/generate-link'
  const { bytes, type, digest } = json({ link: 'https://example.com/once' })
  const headers = { 'content-type': type, ...sign(account, 'POST', target, digest, freshMs()) }
  const tries = Array.from({ length: 10 }, async (_, n) => {
    const init = { method: 'POST', headers, body: new Uint8Array(bytes) }
    const { status, body } = await answered(await fetch((n % 2 === 0 ? a : b).url + target, init))
    if (status !== 201) expect([status, body.error]).toEqual([401, 'Signature already used'])
    return status
  })
  return (await Promise.all(tries)).filter((status) => status === 201).length
}

const destinationOn = async ({ url }: Waymark, code: string): Promise<string | null> =>
  (await fetch(`${url}/${code}`, { redirect: 'manual' })).headers.get('location')

it('with everything present, limits and signatures hold over both nodes', async () => {
  await expectRecovered()
  expect(await allowed(await sessionOf(a))).toBe(SESSION_LIMIT)
  for (let n = 0; n < 5; n++) expect(await taken()).toBe(1)
})

it('PostgreSQL is stopped for 20 seconds', async () => {
  const seen = await load.during(async () => {
    await service(postgres, 'halt')
    await delay(OUTAGE_MS / 2)
    const unknown = await fetch(`${a.url}/never-asked-for`, { redirect: 'manual' })
    expect([unknown.status, unknown.headers.has('retry-after')]).toEqual([503, true])
    expect((await fetch(`${a.url}/livez`)).status).toBe(200)
    expect((await fetch(`${a.url}/readyz`)).status).toBe(503)
    await delay(OUTAGE_MS / 2)
    await service(postgres, 'resume')
  })
  expectOrderly(seen)
  expect(statuses(seen, 'redirect')).toEqual([302])
  expect(statuses(seen, 'create')).toContain(503)
  await expectRecovered()
  admin = await connectTo(postgres['adminUrl'])
})

it('PostgreSQL stops answering without closing anything', async () => {
  const seen = await load.during(async () => {
    await service(postgres, 'freeze')
    await delay(OUTAGE_MS / 2)
    await service(postgres, 'thaw')
  })
  expectOrderly(seen)
  expect(statuses(seen, 'redirect')).toEqual([302])
  expect(statuses(seen, 'create')).toContain(503)
  await expectRecovered()
})

it('Redis is stopped for 20 seconds: each node counts alone, signatures still hold', async () => {
  const cookie = await sessionOf(a)
  const seen = await load.during(async () => {
    await service(redis, 'halt')
    const outage = delay(OUTAGE_MS)
    const passed = await allowed(cookie)
    expect(passed).toBeGreaterThan(SESSION_LIMIT)
    expect(passed).toBeLessThanOrEqual(2 * SESSION_LIMIT)
    for (let n = 0; n < 5; n++) expect(await taken()).toBe(1)
    await outage
    await service(redis, 'resume')
  })
  expectOrderly(seen)
  expect([statuses(seen, 'redirect'), statuses(seen, 'create')]).toEqual([[302], [201]])
  await expectRecovered()
  expect(await allowed(await sessionOf(a))).toBe(SESSION_LIMIT)
})

it('Redis stops answering without closing anything', async () => {
  const seen = await load.during(async () => {
    await service(redis, 'freeze')
    await delay(OUTAGE_MS / 2)
    await service(redis, 'thaw')
  })
  expectOrderly(seen)
  expect([statuses(seen, 'redirect'), statuses(seen, 'create')]).toEqual([[302], [201]])
  await expectRecovered()
})

it('the S3 server is stopped for 20 seconds', async () => {
  const before = await qrWithLogo(a, account)
  expect(before.status).toBe(201)
  const seen = await load.during(async () => {
    await service(s3, 'halt')
    const refused = await qrWithLogo(b, account)
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
    await delay(OUTAGE_MS)
    await service(s3, 'resume')
  })
  expectOrderly(seen)
  expect([statuses(seen, 'redirect'), statuses(seen, 'create')]).toEqual([[302], [201]])
  const after = await qrWithLogo(b, account)
  expect(after.status).toBe(201)
  for (const { body } of [before, after]) expect((await fetch(body.data.image_url)).status).toBe(200)
  await expectRecovered()
})

it('one node is killed', async () => {
  const seen = await load.during(async () => {
    await b.end('SIGKILL')
    await delay(5_000)
    await b.restart()
  })
  expectOrderly(seen.filter(({ status }) => status !== 0))
  const other = seen.filter(({ node }) => node === 0)
  expect([statuses(other, 'redirect'), statuses(other, 'create')]).toEqual([[302], [201]])
  await expectRecovered()
})

it('one node is cut from Redis alone: it hears of an edit as soon as it is back', async () => {
  const { body } = await get(a, account, '/v1/links?search=hot-0')
  const edit = (link: string) => post(a, account, '/v1/edit-links', { uuid: body.data[0].uuid, link })
  expect((await edit('https://example.com/one')).status).toBe(200)
  await expect.poll(() => destinationOn(b, 'hot-0')).toBe('https://example.com/one')
  const seen = await load.during(async () => {
    wire.cut()
    expect((await edit('https://example.com/two')).status).toBe(200)
    expect(await destinationOn(a, 'hot-0')).toBe('https://example.com/two')
    for (let n = 0; n < 5; n++) expect(await taken()).toBe(1)
    await delay(5_000)
    wire.mend()
  })
  expectOrderly(seen)
  expect([statuses(seen, 'redirect'), statuses(seen, 'create')]).toEqual([[302], [201]])
  await expect.poll(() => destinationOn(b, 'hot-0')).toBe('https://example.com/two')
  await expectRecovered()
})

it('PostgreSQL ends the connections of both nodes, again and again', async () => {
  const seen = await load.during(async () => {
    for (let n = 0; n < 10; n++) {
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'waymark%'`,
      )
      await delay(300)
    }
  })
  expectOrderly(seen)
  expect(statuses(seen, 'redirect')).toEqual([302])
  await expectRecovered()
})

it('connections run out', async () => {
  const seen = await load.during(async () => {
    await admin.query('alter role waymark connection limit 0')
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'waymark%'`,
    )
    await delay(OUTAGE_MS / 2)
    await admin.query('alter role waymark connection limit -1')
  })
  expectOrderly(seen)
  expect(statuses(seen, 'redirect')).toEqual([302])
  expect(statuses(seen, 'create')).toContain(503)
  await expectRecovered()
})

it('afterwards nothing that was answered 201 is missing, and clicks equal redirects', async () => {
  await load.stop()
  expect(load.made.size).toBeGreaterThan(500)
  for (const node of [a, b]) {
    const missing: string[] = []
    for (const [code, link] of load.made) if ((await destinationOn(node, code)) !== link) missing.push(code)
    expect(missing).toEqual([])
  }
  let [redirects, clicks] = [0, 0]
  const countClicks = async (): Promise<number> => {
    clicks = 0
    for (const code of HOT) {
      const { body } = await get(a, account, `/v1/links?search=${code}`)
      clicks += body.data[0].clicks
    }
    return clicks
  }
  for (const seen of load.visits.values()) redirects += seen
  await expect.poll(countClicks, { interval: 500 }).toBeGreaterThanOrEqual(redirects)
  await delay(2_000)
  // A visit that the kill cut off may have been counted just before.
  expect(await countClicks()).toBeLessThanOrEqual(redirects + load.cut)
  const slowest = Math.max(...load.seen.filter(({ status }) => status > 0).map(({ tookMs }) => tookMs))
  console.log(
    `${redirects} redirects, ${clicks} clicks, ${load.cut} cut; ${load.made.size} links; slowest answer ${Math.round(slowest)} ms`,
  )
})
