import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_OUTSTANDING } from '../visitors/site.ts'
import { Turns } from '../work/turns.ts'
import { cutOffSlowReaders, limitConnections, limitPipelining } from './connections.ts'

const sockets: Socket[] = []
const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

const listen = async (isExempt: (address: string) => boolean): Promise<() => Promise<Socket>> => {
  const server = createServer((_request, response) => response.end('served'))
  limitConnections(server, 2, isExempt)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  const { port } = server.address() as AddressInfo
  return async () => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
}

const isServed = async (socket: Socket): Promise<boolean> => {
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [chunk] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as unknown[]
  return String(chunk).includes('served')
}

it('closes connections of an address above its limit, and does not count ended ones', async () => {
  const open = await listen(() => false)
  const [first, second] = [await open(), await open()]
  expect(await isServed(first)).toBe(true)
  expect(await isServed(second)).toBe(true)
  expect(await isServed(await open())).toBe(false)
  first.destroy()
  await expect.poll(async () => isServed(await open())).toBe(true)
})

it('does not limit exempt addresses', async () => {
  const open = await listen((address) => address === '127.0.0.1')
  const served = await Promise.all(Array.from({ length: 5 }, async () => isServed(await open())))
  expect(served).toEqual(Array(5).fill(true))
})

describe('pipelined requests', () => {
  const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
  let waiting: { url: string | undefined; body: () => number; respond: () => void }[]
  let most: number

  const openClient = async (): Promise<{ socket: Socket; heard: () => string }> => {
    // Requests of an earlier test may still arrive at its server.
    const own: typeof waiting = []
    waiting = own
    most = 0
    const server = createServer()
    const noteRequest = limitPipelining(server, new Turns(0))
    server.on('request', (request, response) => {
      noteRequest(request, response)
      let bytes = 0
      request.on('data', (chunk: Buffer) => (bytes += chunk.length))
      own.push({
        url: request.url,
        body: () => bytes,
        respond: () => response.end(`<${request.url}>`),
      })
      if (waiting === own) most = Math.max(most, own.length)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString())).on('error', () => undefined)
    await once(socket, 'connect')
    return { socket, heard: () => heard }
  }
  const respondTo = (count: number): void => {
    for (const { respond } of waiting.splice(0, count)) respond()
  }
  /** Long enough for everything that was sent to be read. */
  const settled = async (): Promise<void> => {
    for (let seen = -1; seen !== waiting.length;) {
      seen = waiting.length
      await delay(50)
    }
  }

  it('are read 32 at a time, and each gets its response in order', async () => {
    const { socket, heard } = await openClient()
    const count = 5_000
    socket.write(Array.from({ length: count }, (_, n) => REQUEST.replace('/ ', `/${n} `)).join(''))
    await settled()
    expect(waiting).toHaveLength(MAX_OUTSTANDING)
    respondTo(10)
    await settled()
    expect(waiting).toHaveLength(MAX_OUTSTANDING - 10)
    for (let left = count - 10; left > 0;) {
      await vi.waitUntil(() => waiting.length > 0, { interval: 1, timeout: 60_000 })
      left -= waiting.length
      respondTo(waiting.length)
    }
    await expect.poll(() => heard().endsWith(`</${count - 1}>`)).toBe(true)
    const served = [...heard().matchAll(/<\/(\d+)>/g)].map(([, n]) => Number(n))
    expect(served).toEqual(Array.from({ length: count }, (_, n) => n))
    // One more if a chunk ends within the end of a head.
    expect(most).toBeLessThanOrEqual(MAX_OUTSTANDING + 1)
  })

  it('are counted even if they are minimal, and across chunks that end within a request', async () => {
    const { socket } = await openClient()
    const bytes = Buffer.from('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'.repeat(1_000))
    for (let at = 0; at < 9_000; at += 7) socket.write(bytes.subarray(at, at + 7))
    socket.write(bytes.subarray(9_002))
    await settled()
    expect(waiting.length).toBeGreaterThan(16)
    expect(most).toBeLessThanOrEqual(MAX_OUTSTANDING + 1)
  })

  it('do not split a body of blank lines, or change when it is read', async () => {
    const { socket, heard } = await openClient()
    const body = '\r\n'.repeat(500_000)
    socket.write(`POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    socket.write(REQUEST)
    await expect.poll(() => waiting[0]?.body()).toBe(body.length)
    await expect.poll(() => waiting.length).toBe(2)
    respondTo(2)
    await expect.poll(heard).toMatch(/<\/a>[^]*<\/>/)
  })

  it.each([
    ['short', 'short', 0, 1],
    ['short', 'long', 0, 10_000],
    ['long', 'short', 4_000, 1],
  ])(
    'are a few in each turn of the event loop: %s ones with %s responses at once',
    async (_length, _responses, headBytes, bytes) => {
      const { socket } = await openClient()
      let [inTurn, most, served] = [0, 0, 0]
      socket.on('data', (chunk: Buffer) => (served += chunk.toString().split('HTTP/1.1 200').length - 1))
      servers[0]?.on('request', (_request, response) => {
        if (inTurn++ === 0) setImmediate(() => (inTurn = 0))
        most = Math.max(most, inTurn)
        response.end('x'.repeat(bytes))
      })
      const request = REQUEST.replace('Host', `X: ${'x'.repeat(headBytes)}\r\nHost`)
      socket.write(request.repeat(2_000))
      // Chunks may end within the counted text.
      await expect.poll(() => served, { timeout: 60_000 }).toBeGreaterThan(1_900)
      // Those that arrive in this turn, and those that were waiting for it.
      expect(most).toBeLessThanOrEqual(2 * (MAX_OUTSTANDING + 1))
    },
  )

  it('are not parsed after bytes that are not a request', async () => {
    const { socket } = await openClient()
    let errors = 0
    servers[0]?.on('clientError', () => errors++)
    socket.write(REQUEST + 'no request\r\n\r\n'.repeat(10_000))
    await settled()
    await expect.poll(() => errors).toBe(1)
    await settled()
    expect([waiting.length, errors]).toEqual([1, 1])
  })

  it('end with the connection', async () => {
    const { socket } = await openClient()
    socket.write(REQUEST.repeat(1_000))
    await settled()
    socket.resetAndDestroy()
    const [server] = servers
    await expect
      .poll(() => new Promise((resolve) => server?.getConnections((_error, count) => resolve(count))))
      .toBe(0)
    respondTo(waiting.length)
  })
})

describe('clients that do not read', () => {
  const LARGE = Buffer.alloc(16 * 1024 * 1024, 'x')

  /** Connections that have requested a response of 16 MiB. */
  const request = async (count: number): Promise<Socket[]> => {
    const server = createServer((_request, response) => response.end(LARGE))
    cutOffSlowReaders(server, { sweepMs: 50, timeoutMs: 1_000, bytesPerSecond: 1024 * 1024 })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    return Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
        sockets.push(socket)
        socket.on('error', () => undefined)
        await once(socket, 'connect')
        socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
        return socket
      }),
    )
  }
  const open = (): Promise<number> =>
    new Promise((resolve) => servers[0]?.getConnections((_error, count) => resolve(count)))

  it('are disconnected, and so are those that read too slowly', async () => {
    const [, slow] = await request(2)
    const reading = setInterval(() => slow?.read(1_000), 20)
    slow?.pause()
    await expect.poll(open).toBe(0)
    clearInterval(reading)
  })

  it('does not affect clients that read, and connections without a request', async () => {
    const [quick] = await request(1)
    let bytes = 0
    quick?.on('data', (chunk: Buffer) => (bytes += chunk.length))
    await expect.poll(() => bytes).toBeGreaterThan(LARGE.length)
    await delay(2_000)
    expect(quick?.closed).toBe(false)
    expect(await open()).toBe(1)
  })
})
