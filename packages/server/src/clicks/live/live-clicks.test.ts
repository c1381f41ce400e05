import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { admission } from '../../net/admission/lanes.ts'
import { actingFor } from '../../net/admission/gate.ts'
import { LocalBus } from '../../net/bus/bus.ts'
import { createIds } from '../../storage/db/ids.ts'
import { storedClick, liveClick as click } from '../testing.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import { type LiveClick, liveClicks } from './live-click.ts'
import { LiveClicks, type LiveListener, toMessages } from './live-clicks.ts'

const report = (error: unknown): void => {
  throw error
}

function open({ bus = new LocalBus(report) } = {}) {
  const live = new LiveClicks({
    bus,
    newId: createIds(),
    now: Date.now,
    report,
  })
  const watched: (readonly string[])[] = []
  live.onWatch((userUuids) => watched.push(userUuids))
  const listen = (workspaceUuid: string, resourceUuids?: ReadonlySet<string>): LiveListener =>
    live.open(workspaceUuid, { resourceUuids, present: ({ resourceUuid }) => resourceUuid })
  return { live, watched, listen }
}

const read = (listener: LiveListener): string => String(listener.read() ?? '')

/** Reads until the stream ends. */
const textOf = async (listener: LiveListener): Promise<string> => {
  let text = ''
  for await (const chunk of listener) text += String(chunk)
  return text
}

afterEach(() => vi.useRealTimers())

describe('recipients', () => {
  it('sends clicks of the account, or only of the requested links', () => {
    const { live, listen } = open()
    const [all, one, other] = [listen('a'), listen('a', new Set(['l1'])), listen('b')]
    live.report('a', [click('l1'), click('l2')])
    expect(read(all)).toBe('retry: 3000\n\nevent: click\ndata: "l1"\n\nevent: click\ndata: "l2"\n\n')
    expect(read(one)).toBe('retry: 3000\n\nevent: click\ndata: "l1"\n\n')
    expect(read(other)).toBe('retry: 3000\n\n')
    live.close()
  })

  it('delivers a message that arrives twice only once', () => {
    const bus = new LocalBus(report)
    const { live, listen } = open({ bus })
    const listener = listen('a')
    const [message = ''] = toMessages([click('l1')], () => 'the same')
    for (let n = 0; n < 2; n++) bus.broadcast('live-clicks/a', message)
    expect(read(listener).match(/event:/g)).toHaveLength(1)
    live.close()
  })

  it('watches an account from its first listener until some time after its last', () => {
    vi.useFakeTimers()
    const { live, listen, watched } = open()
    const listener = listen('a')
    listen('b').destroy()
    expect(watched).toEqual([[], ['a'], ['a', 'b']])
    vi.advanceTimersByTime(60_000)
    expect(watched.at(-1)).toEqual(['a'])
    listener.destroy()
    vi.advanceTimersByTime(60_000)
    expect(watched.at(-1)).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
    live.close()
  })
})

/** Two processes, whose messages arrive within the same call. */
describe('a process that starts while there are listeners', () => {
  it('learns the watched accounts before it counts clicks, even if it asks late', () => {
    const bus = new LocalBus(report)
    const { live: first, listen } = open({ bus })
    listen('a')
    const second = new LiveClicks({
      bus,
      newId: createIds(),
      now: Date.now,
      report,
    })
    const heard: (readonly string[])[] = []
    second.onWatch((userUuids) => heard.push(userUuids))
    expect(heard).toEqual([['a']])
    for (const live of [first, second]) live.close()
  })

  it('asks again when messages of other nodes may have been missed', () => {
    const bus = new LocalBus(report)
    const asked: string[] = []
    bus.subscribe('live-watch-question', () => asked.push('asked'))
    const { live } = open({ bus })
    bus.missed('nodes')
    bus.missed('machine')
    expect(asked).toHaveLength(2)
    live.close()
  })
})

describe('bounds', () => {
  it('allows ten listeners per account, and another after one has left', async () => {
    const { live, listen } = open()
    const listeners = Array.from({ length: 10 }, () => listen('a'))
    expect(() => listen('a')).toThrow(expect.objectContaining({ status: 429 }))
    listen('b')
    listeners[0]?.destroy()
    await delay(1)
    listen('a')
    live.close()
  })

  it('allows 250 listeners per address across accounts, and others from other addresses', () => {
    const { live, listen } = open()
    const listenFrom = (address: string, user: string) =>
      actingFor({ address, account: user }, () => listen(user))
    for (let n = 0; n < 250; n++) listenFrom('a', `user ${n}`)
    expect(() => listenFrom('a', 'one more')).toThrow(expect.objectContaining({ status: 503 }))
    listenFrom('b', 'elsewhere')
    live.close()
    expect(admission.counts().liveStreams.running).toBe(0)
  })

  it('allows a thousand listeners', () => {
    const { live, listen } = open()
    for (let n = 0; n < 1_000; n++) listen(`user ${n}`)
    expect(() => listen('one more')).toThrow(expect.objectContaining({ status: 503 }))
    live.close()
  })

  it('disconnects a listener that does not read, and keeps the others', async () => {
    const { live, listen } = open()
    const [slow, quick] = [listen('a'), listen('a')]
    for (let n = 0; n < 10_000 && !slow.destroyed; n++) {
      live.report('a', [click('x'.repeat(100))])
      read(quick)
    }
    expect([slow.destroyed, quick.destroyed]).toEqual([true, false])
    await delay(1)
    live.report('a', [click('still here')])
    expect(read(quick)).toContain('still here')
    live.close()
  })

  it('keeps every message within the limit of PostgreSQL notifications', () => {
    const wide = click('l1', { referrer: '"'.repeat(100), variant: '🧭'.repeat(255) })
    const messages = toMessages(
      Array.from({ length: 40 }, () => wide),
      () => crypto.randomUUID(),
    )
    for (const message of messages) expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(7_500)
    const clicks = messages.flatMap((message) => (JSON.parse(message) as { clicks: unknown[] }).clicks)
    expect(clicks).toHaveLength(40)
  })
})

describe('ends', () => {
  it('sends comments while idle', () => {
    vi.useFakeTimers()
    const { live, listen } = open()
    const listener = listen('a')
    vi.advanceTimersByTime(20_000)
    expect(read(listener)).toBe('retry: 3000\n\n:\n\n')
    live.close()
  })

  it('without an error, if clicks that the database was asked about arrive later', async () => {
    const { live } = open()
    const chosen = Promise.withResolvers<void>()
    const choose = async (clicks: readonly LiveClick[]) => {
      await chosen.promise
      return clicks
    }
    const query = { resourceUuids: undefined, choose, present: ({ resourceUuid }: LiveClick) => resourceUuid }
    const listener = live.open('a', query)
    live.report('a', [click('l1')])
    listener.end()
    chosen.resolve()
    await delay(1)
    expect(await textOf(listener)).toBe('retry: 3000\n\n')
    live.close()
  })

  it('when the service stops, and accepts no more', async () => {
    const { live, listen } = open()
    const listener = listen('a')
    live.close()
    expect(await textOf(listener)).toBe('retry: 3000\n\n')
    expect(() => listen('a')).toThrow(expect.objectContaining({ status: 503 }))
  })
})

describe('liveClicks', () => {
  const owner = { workspaceUuid: 'a', ofCode: true, domain: '', name: 'abc' }
  const enriched = (resourceUuid: string, atMs = 0): StoredClick =>
    storedClick(resourceUuid, atMs, { visitor: 12_345 })

  it('contains no visitor data and no accounts without listeners', () => {
    const owners = new Map([
      ['l1', owner],
      ['l2', { ...owner, workspaceUuid: 'b' }],
    ])
    const live = liveClicks([enriched('l1'), enriched('l2'), enriched('gone')], owners, new Set(['a']))
    expect([...live.keys()]).toEqual(['a'])
    expect(live.get('a')).toEqual([click('l1', { scanned: true })])
    expect(JSON.stringify([...live])).not.toContain('12345')
    expect(liveClicks([enriched('l1')], owners, new Set()).size).toBe(0)
  })

  it('returns the newest hundred of a batch, in order', () => {
    const many = Array.from({ length: 500 }, (_, n) => enriched('l1', n))
    const taken = liveClicks(many, new Map([['l1', owner]]), new Set(['a'])).get('a') ?? []
    expect(taken.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 100 }, (_, n) => 400 + n))
  })
})
