import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askServices } from '../../storage/db/testing.ts'
import { HOUR_MS } from '../../work/times.ts'
import { channelOver } from '../bus/channel.ts'
import { Broker } from '../bus/cluster.ts'
import { ClusterLimits } from './cluster.ts'
import { type Limits, WindowCounters } from './limits.ts'
import { openLimits } from './open.ts'

// The beginning of a minute.
const MINUTE = Math.floor(1_800_000_000_000 / 60_000) * 60_000
let now = MINUTE
let user = ''
const clock = (): number => now
const opened: Limits[] = []

beforeEach(() => {
  now = MINUTE + 1_000
  // Redis still has the counts of earlier tests.
  user = crypto.randomUUID()
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((limits) => limits.close()))
})

async function redisPair(url: string | undefined): Promise<[Limits, Limits]> {
  const pair = [1, 2].map(() => openLimits({ redisUrl: url, now: clock, report: () => undefined }))
  opened.push(...pair)
  const [a, b] = pair as [Limits, Limits]
  // Wait until both count together: a connection takes a moment.
  await expect
    .poll(async () => {
      const probe = crypto.randomUUID()
      return [
        (await a.take(probe, 9)).remaining,
        (await b.take(probe, 9)).remaining,
        (await a.take(probe, 9)).remaining,
      ]
    })
    .toEqual([8, 7, 6])
  return [a, b]
}

function clusterPair(): [Limits, Limits] {
  const counters = new WindowCounters()
  const broker = new Broker((key, cost, windowMs) => counters.add(key, now, cost, windowMs))
  const worker = (): Limits => {
    const { port1, port2 } = new MessageChannel()
    const [primary, own] = [port1, port2].map((port) => {
      port.unref()
      return channelOver({
        send: (envelope) => port.postMessage(envelope),
        on: (listener) => void port.on('message', listener),
        off: (listener) => void port.off('message', listener),
      })
    })
    if (primary === undefined || own === undefined) throw new Error('There are two ports')
    broker.attach(primary)
    return new ClusterLimits(own, clock)
  }
  return [worker(), worker()]
}

const kinds: Record<string, () => Promise<[Limits, Limits]>> = {
  async memory() {
    const limits = openLimits({ redisUrl: undefined, now: clock })
    return [limits, limits]
  },
  cluster: async () => clusterPair(),
  redis: async () => redisPair((await askServices('redis'))['url']),
}

describe.each(Object.entries(kinds))('%s', (_name, open) => {
  it('counts down to the limit and then rejects', async () => {
    const [limits] = await open()
    const answers = [await limits.take(user, 2), await limits.take(user, 2), await limits.take(user, 2)]
    expect(answers).toEqual([
      { allowed: true, limit: 2, remaining: 1, resetMs: 59_000 },
      { allowed: true, limit: 2, remaining: 0, resetMs: 59_000 },
      { allowed: false, limit: 2, remaining: 0, resetMs: 59_000 },
    ])
  })

  it('counts all processes together, and each key separately', async () => {
    const [a, b] = await open()
    const takes = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? a : b).take(user, 25))
    const answers = await Promise.all(takes)
    expect(answers.filter((answer) => answer.allowed)).toHaveLength(25)
    expect((await a.take(`${user}-other`, 25)).remaining).toBe(24)
  })

  it('counts the cost in units', async () => {
    const [a, b] = await open()
    expect((await a.take(user, 100_000_000, 40_000_000)).remaining).toBe(60_000_000)
    expect((await b.take(user, 100_000_000, 40_000_000)).remaining).toBe(20_000_000)
    expect(await a.take(user, 100_000_000, 40_000_000)).toMatchObject({ allowed: false, remaining: 0 })
  })

  it('starts again with the next minute', async () => {
    const [limits] = await open()
    await limits.take(user, 1)
    expect((await limits.take(user, 1)).allowed).toBe(false)
    now = MINUTE + 59_999
    expect(await limits.take(user, 1)).toMatchObject({ allowed: false, resetMs: 1 })
    now = MINUTE + 60_000
    expect(await limits.take(user, 1)).toMatchObject({ allowed: true, resetMs: 60_000 })
  })

  it('counts by the hour as well, separately from the minute, and returns units', async () => {
    const [a, b] = await open()
    const hourly = (limits: Limits, cost?: number) => limits.take(user, 2, cost, HOUR_MS)
    now = Math.floor(now / HOUR_MS) * HOUR_MS + 1_000
    await a.take(user, 2)
    expect([await hourly(a), await hourly(b), await hourly(a)]).toEqual([
      { allowed: true, limit: 2, remaining: 1, resetMs: HOUR_MS - 1_000 },
      { allowed: true, limit: 2, remaining: 0, resetMs: HOUR_MS - 1_000 },
      { allowed: false, limit: 2, remaining: 0, resetMs: HOUR_MS - 1_000 },
    ])
    now += HOUR_MS - 2_000
    await hourly(b, -2)
    expect([(await hourly(a)).allowed, (await hourly(b)).allowed]).toEqual([true, false])
    now += 1_000
    expect((await hourly(a)).remaining).toBe(1)
  })

  it('accepts any text as key', async () => {
    const [limits] = await open()
    const key = `${user} ü:{}*\r\n${'x'.repeat(500)}`
    expect((await limits.take(key, 5)).remaining).toBe(4)
    expect((await limits.take(key, 5)).remaining).toBe(3)
  })
})

describe('redis', () => {
  it.each(['halt', 'freeze'])(
    'away by %s: each node counts alone from where all were, then together',
    async (fault) => {
      const own = await askServices('own/redis')
      const [a, b] = await redisPair(own['url'])
      for (let n = 0; n < 5; n++) await (n % 2 === 0 ? a : b).take(user, 10)
      await askServices(`own/${own['id']}/${fault}`)
      // a had counted 5 and b 4 when Redis went down.
      expect([(await a.take(user, 10)).remaining, (await b.take(user, 10)).remaining]).toEqual([4, 5])
      expect([(await a.take(user, 10)).remaining, (await b.take(user, 10)).remaining]).toEqual([3, 4])
      await expect.poll(() => [a.fault(), b.fault()]).toEqual(['unavailable', 'unavailable'])
      await askServices(`own/${own['id']}/${fault === 'halt' ? 'resume' : 'thaw'}`)
      await expect.poll(() => [a.fault(), b.fault()]).toEqual([undefined, undefined])
      const probe = crypto.randomUUID()
      expect([(await a.take(probe, 10)).remaining, (await b.take(probe, 10)).remaining]).toEqual([9, 8])
      await askServices(`own/${own['id']}/stop`)
    },
  )

  it('opens while its server is down', async () => {
    const own = await askServices('own/redis')
    await askServices(`own/${own['id']}/stop`)
    const limits = openLimits({ redisUrl: own['url'], now: clock, report: () => undefined })
    opened.push(limits)
    expect((await limits.take(user, 3)).remaining).toBe(2)
    expect((await limits.take(user, 3)).remaining).toBe(1)
  })
})

describe('cluster', () => {
  it('counts alone if the primary does not respond', async () => {
    const limits = new ClusterLimits(
      channelOver({ send: () => undefined, on: () => undefined, off: () => undefined }),
      clock,
    )
    expect((await limits.take(user, 3)).remaining).toBe(2)
    expect((await limits.take(user, 3)).remaining).toBe(1)
  })
})

describe('window counters', () => {
  it('stay bounded for any number of keys', () => {
    const counters = new WindowCounters()
    for (let n = 0; n < 180_000; n++) {
      counters.add(`address ${n}`, MINUTE)
      if (n % 10_000 === 0) counters.add('busy', MINUTE)
    }
    expect(counters.size).toBeLessThanOrEqual(100_000)
    expect(counters.add('address 179999', MINUTE)).toBe(2)
    expect(counters.add('busy', MINUTE)).toBe(19)
    counters.add('x', MINUTE + 60_000)
    expect(counters.size).toBe(1)
  })
})
