import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { askServices } from '../../storage/db/testing.ts'
import { type Bus, LocalBus } from './bus.ts'
import { type Channel, channelOver } from './channel.ts'
import { ClusterTransport, Broker } from './cluster.ts'
import { CombinedBus, openBus } from './open.ts'

const opened: Bus[] = []
const reported: unknown[] = []
const report = (error: unknown): void => void reported.push(error)

afterEach(async () => {
  await Promise.all(opened.splice(0).map((bus) => bus.close()))
  reported.length = 0
})

/** Waits until the other process receives messages: a subscription over the network takes a moment. */
async function untilConnected(a: Bus, b: Bus): Promise<void> {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    let heard = false
    const stop = to.subscribe('warm-up', () => void (heard = true))
    await expect
      .poll(() => {
        from.publish('warm-up', '')
        return heard
      })
      .toBe(true)
    stop()
  }
}

function portChannel(port: MessagePort): Channel {
  return channelOver({
    send: (envelope) => port.postMessage(envelope),
    on: (listener) => void port.on('message', listener),
    off: (listener) => void port.off('message', listener),
  })
}

async function redisPair(url: string | undefined): Promise<[Bus, Bus]> {
  const pair: [Bus, Bus] = [openBus({ redisUrl: url, report }), openBus({ redisUrl: url, report })]
  opened.push(...pair)
  await untilConnected(...pair)
  return pair
}

async function postgresBus(url: string | undefined, redisUrl?: string): Promise<Bus> {
  const { Pool } = await import('pg')
  const clientConfig = { connectionString: url }
  const pool = new Pool({ ...clientConfig, max: 2 })
  // Tests take the server away.
  pool.on('error', () => undefined)
  const bus = openBus({ redisUrl, postgres: { pool, visitorPool: pool, clientConfig }, report })
  opened.push({ ...bus, close: () => bus.close().then(() => pool.end()) })
  return bus
}

const kinds: Record<string, () => Promise<[Bus, Bus]>> = {
  async local() {
    const bus = openBus({ redisUrl: undefined, report })
    return [bus, bus]
  },
  async cluster() {
    const broker = new Broker(() => 0)
    const worker = (): Bus => {
      const { port1, port2 } = new MessageChannel()
      port1.unref()
      port2.unref()
      broker.attach(portChannel(port1))
      const local = new LocalBus(report)
      const bus = new CombinedBus(local, {
        machine: new ClusterTransport(portChannel(port2), local),
        nodes: [],
      })
      opened.push(bus)
      return bus
    }
    return [worker(), worker()]
  },
  redis: async () => redisPair((await askServices('redis'))['url']),
  postgres: async () => {
    const { url } = await askServices('postgres/create')
    const pair = [await postgresBus(url), await postgresBus(url)] as [Bus, Bus]
    await untilConnected(...pair)
    return pair
  },
}

describe.each(Object.entries(kinds))('%s', (_name, open) => {
  it('delivers messages of a topic to every process, in order, once', async () => {
    const [a, b] = await open()
    const heard: string[] = []
    b.subscribe('links', (message) => heard.push(message))
    b.subscribe('other', (message) => heard.push(`other ${message}`))
    const sent = Array.from({ length: 50 }, (_, n) => `ünï ${n}`)
    for (const message of sent) a.publish('links', message)
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(50)
    expect(heard).toEqual(sent)
  })

  it('delivers broadcasts, once', async () => {
    const [a, b] = await open()
    const heard: string[] = []
    b.subscribe('clicks', (message) => heard.push(message))
    a.broadcast('clicks', 'x')
    a.publish('links', 'later')
    a.broadcast('clicks', 'y')
    await expect.poll(() => heard).toEqual(['x', 'y'])
  })

  it('has notified its own process when publish returns, once', async () => {
    const [a, b] = await open()
    const heard: string[] = []
    const elsewhere: string[] = []
    a.subscribe('links', (message) => heard.push(message))
    b.subscribe('links', (message) => elsewhere.push(message))
    a.publish('links', 'x')
    expect(heard).toEqual(['x'])
    await expect.poll(() => elsewhere).toEqual(['x'])
    expect(heard).toEqual(['x'])
  })

  it('does not notify former listeners', async () => {
    const [a] = await open()
    const heard: string[] = []
    const listener = (message: string): void => void heard.push(message)
    const stop = a.subscribe('links', listener)
    a.subscribe('links', listener)
    a.publish('links', 'twice')
    stop()
    a.publish('links', 'once')
    expect(heard).toEqual(['twice', 'twice', 'once'])
  })

  it('reports a failing listener, and notifies the others', async () => {
    const [a] = await open()
    const heard: string[] = []
    a.subscribe('links', () => {
      throw new Error('listener failed')
    })
    a.subscribe('links', (message) => heard.push(message))
    a.publish('links', 'x')
    expect(heard).toEqual(['x'])
    expect(reported).toEqual([new Error('listener failed')])
  })
})

describe('settled', () => {
  it('waits until the other workers have received messages, but not for one that hangs', async () => {
    const broker = new Broker(() => 0)
    const worker = (): [Bus, Channel] => {
      const { port1, port2 } = new MessageChannel()
      port1.unref()
      port2.unref()
      broker.attach(portChannel(port1))
      const local = new LocalBus(report)
      const channel = portChannel(port2)
      const bus = new CombinedBus(local, { machine: new ClusterTransport(channel, local), nodes: [] })
      opened.push(bus)
      return [bus, channel]
    }
    const [[a], [b]] = [worker(), worker()]
    const heard: string[] = []
    b.subscribe('links', (message) => heard.push(message))
    a.publish('links', 'x')
    await a.settled()
    expect(heard).toEqual(['x'])

    // Messages published together are sent together, in order.
    for (let n = 0; n < 1_000; n++) a.publish('links', String(n))
    await a.settled()
    expect(heard.splice(1)).toEqual(Array.from({ length: 1_000 }, (_, n) => String(n)))

    // One that is attached and never replies is notified that it has missed something.
    const { port1, port2 } = new MessageChannel()
    port1.unref()
    port2.unref()
    broker.attach(portChannel(port1))
    const notes: string[] = []
    portChannel(port2).listen(({ kind }) => notes.push(kind))
    a.publish('links', 'y')
    await a.settled()
    expect(heard).toEqual(['x', 'y'])
    await expect.poll(() => notes).toEqual(['bus', 'missed'])
  })
})

describe('postgres', () => {
  it('delivers messages while Redis is down', async () => {
    const own = await askServices('own/redis')
    const { url } = await askServices('postgres/create')
    const [a, b] = [await postgresBus(url, own['url']), await postgresBus(url, own['url'])]
    await untilConnected(a, b)
    await askServices(`own/${own['id']}/halt`)
    const heard: string[] = []
    b.subscribe('links', (message) => heard.push(message))
    a.publish('links', 'x')
    await expect.poll(() => heard, { timeout: 2_000 }).toContain('x')
    await askServices(`own/${own['id']}/stop`)
  })
})

describe('redis', () => {
  it.each(['halt', 'freeze'])(
    'survives a %s of its server and says that messages were missed',
    async (fault) => {
      const own = await askServices('own/redis')
      const [a, b] = await redisPair(own['url'])
      let missed = 0
      b.onMissed(() => missed++)
      await askServices(`own/${own['id']}/${fault}`)
      a.publish('links', 'into the void')
      // Longer than the heartbeat needs to notice that Redis does not respond.
      if (fault === 'freeze') await expect.poll(() => reported.length).toBeGreaterThan(0)
      await askServices(`own/${own['id']}/${fault === 'halt' ? 'resume' : 'thaw'}`)
      await untilConnected(a, b)
      await expect.poll(() => missed).toBeGreaterThan(0)
      await askServices(`own/${own['id']}/stop`)
    },
  )

  it('opens while its server is down, and connects later', async () => {
    const own = await askServices('own/redis')
    await askServices(`own/${own['id']}/halt`)
    const [a, b] = [openBus({ redisUrl: own['url'], report }), openBus({ redisUrl: own['url'], report })]
    opened.push(a, b)
    const heard: string[] = []
    b.subscribe('links', (message) => heard.push(message))
    a.publish('links', 'into the void')
    await askServices(`own/${own['id']}/resume`)
    await untilConnected(a, b)
    a.publish('links', 'x')
    await expect.poll(() => heard).toContain('x')
    await askServices(`own/${own['id']}/stop`)
  })
})
