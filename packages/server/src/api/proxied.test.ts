/* Requests on their way from a client through the visitors' half to the API half, over real sockets. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import {
  Agent,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientOf } from '../net/client.ts'
import { createProxy, type Proxy } from '../visitors/proxy.ts'
import { createVisitorServer, type VisitorServer } from '../visitors/server.ts'
import type { PassOn } from '../visitors/site.ts'
import { BODY_LIMITS, type BodyLimits } from './body/body-limits.ts'
import { readBody } from './body/read-body.ts'
import { createPrivateServer } from './private-server.ts'

const MIB = 1024 * 1024

let folder: string
let front: VisitorServer
let api: Server
let proxy: Proxy
let port: number
let handle: PassOn
let lost: number
/** Requests that the API half has received. */
let received: IncomingMessage[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-proxied-'))
  received = []
  lost = 0
  handle = (_request, response) => void response.end('answered')
  await startApi()
  proxy = createProxy({
    socketPath: join(folder, '0'),
    clientOf: (request) => ({ address: request.socket.remoteAddress ?? '', requestId: 'an-id' }),
    lost: () => lost++,
  })
  proxy.up()
  front = createVisitorServer()
  front.serve({
    takeConnections: () => undefined,
    front: () => false,
    handle: () => false,
    passOn: proxy.passOn,
    connectionsPerAddress: 1_000,
    isExemptAddress: () => true,
    accessLog: undefined,
  })
  await once(front.server.listen(0, '127.0.0.1'), 'listening')
  port = (front.server.address() as AddressInfo).port
})

afterEach(async () => {
  proxy.close()
  front.server.closeAllConnections()
  front.server.close()
  await stopApi()
  rmSync(folder, { recursive: true, force: true })
})

async function startApi(): Promise<void> {
  api = createPrivateServer((request, response) => {
    received.push(request)
    handle(request, response)
  })
  rmSync(join(folder, '0'), { force: true })
  await once(api.listen(join(folder, '0')), 'listening')
}

/** As a killed process does: every connection ends at once. */
async function stopApi(): Promise<void> {
  if (!api.listening) return
  api.closeAllConnections()
  await new Promise((resolve) => api.close(resolve))
}

interface Heard {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const ask = (
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: string | Buffer } = {},
): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest({ port, path, method, headers: { ...headers }, agent: false })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: text }),
      )
      response.on('error', reject)
    })
    sent.end(body)
  })

/** Sends bytes as they are, and returns what came back until the connection ended or was silent for a while. */
async function send(bytes: string, silentMs = 150): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1')
    socket.setTimeout(silentMs)
  })
  socket.on('timeout', () => socket.destroy())
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return heard
}

const readAll: PassOn = (request, response) => {
  let bytes = 0
  request.on('data', (chunk: Buffer) => (bytes += chunk.length))
  request.on('end', () => response.end(String(bytes)))
}

describe('a request', () => {
  it('arrives with its path, query and headers, byte for byte', async () => {
    const target = '/a%2Fb//c/?q=%zz&q=+x&empty=&%41'
    await send(
      `GET ${target} HTTP/1.1\r\nhOsT: here\r\nX-Twice: 1\r\nx-twice: \xe9\r\nConnection: X-Hop, close\r\nX-Hop: 1\r\n\r\n`,
    )
    expect(received[0]?.url).toBe(target)
    const raw = received[0]?.rawHeaders ?? []
    expect(raw.slice(0, 6)).toEqual(['hOsT', 'here', 'X-Twice', '1', 'x-twice', '\xe9'])
    expect(raw.join()).not.toMatch(/x-hop/i)
  })

  it('carries its client once, whatever a client claims', async () => {
    await ask('/', { headers: { 'x-waymark-client': 'forged 192.0.2.7' } })
    const [request] = received
    if (request === undefined) throw new Error('Nothing arrived')
    expect(clientOf(request)).toEqual({ address: '127.0.0.1', requestId: 'an-id' })
    expect(request.headers['x-waymark-client']).toBeUndefined()
  })

  it('without a client is closed, because it does not come from the visitors’ half', async () => {
    const socket = connect(join(folder, '0'))
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    await once(socket, 'close')
    expect([heard, received]).toEqual(['', []])
  })

  it('gains no body: GET no transfer-encoding, an empty POST a length of 0', async () => {
    await ask('/')
    await ask('/', { method: 'POST', headers: { 'content-length': '0' } })
    await send('POST / HTTP/1.1\r\nHost: here\r\n\r\n')
    const framing = received.map(({ headers }) => [
      headers['transfer-encoding'],
      headers['content-length'],
      headers.expect,
    ])
    expect(framing).toEqual([
      [undefined, undefined, undefined],
      [undefined, '0', undefined],
      [undefined, '0', undefined],
    ])
  })

  it.each(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'PROPFIND'])(
    'may have the method %s',
    async (method) => {
      const { status } = await ask('/', { method })
      expect([status, received[0]?.method]).toEqual([200, method])
    },
  )

  it('has its body, with a length, in chunks, and on GET', async () => {
    handle = readAll
    expect((await ask('/', { method: 'POST', body: 'x'.repeat(300_000) })).body).toBe('300000')
    const chunked = { 'transfer-encoding': 'chunked' }
    expect((await ask('/', { method: 'POST', headers: chunked, body: 'y'.repeat(70_000) })).body).toBe(
      '70000',
    )
    expect((await ask('/', { headers: { 'content-length': '3' }, body: 'abc' })).body).toBe('3')
  })

  it('is read by its sender only when the API half asks for the body', async () => {
    let continued = 0
    handle = (_request, response) => void setTimeout(() => response.writeHead(401).end('no'), 100)
    const sent = httpRequest({
      port,
      method: 'POST',
      headers: { 'content-length': '1000000', expect: '100-continue' },
      agent: false,
    })
    sent.on('continue', () => continued++)
    sent.on('error', () => undefined)
    sent.flushHeaders()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect([response.statusCode, continued]).toEqual([401, 0])
    sent.destroy()

    handle = readAll
    const second = httpRequest({
      port,
      method: 'POST',
      headers: { 'content-length': '3', expect: '100-continue' },
      agent: false,
    })
    second.on('continue', () => {
      continued++
      second.end('abc')
    })
    second.flushHeaders()
    const [answer] = (await once(second, 'response')) as [IncomingMessage]
    answer.resume()
    expect([answer.statusCode, continued]).toEqual([200, 1])
  })
})

describe('an answer before the body was read', () => {
  const LARGE = 48 * MIB
  const withoutBody =
    (status: number): PassOn =>
    (_request, response) =>
      void response.writeHead(status).end(`rejected with ${status}`)
  const withBody =
    (limits: BodyLimits): PassOn =>
    (request, response) =>
      void readBody(request, request.headers, limits, folder).then(
        () => response.end('read'),
        (error: { status: number }) => response.writeHead(error.status).end('rejected'),
      )
  const json = { 'content-type': 'application/json' }

  it.each([
    [401, withoutBody(401), json],
    [429, withoutBody(429), json],
    [413, withBody(BODY_LIMITS), json],
    [415, withBody(BODY_LIMITS), { 'content-type': 'text/plain' }],
  ] as const)('of %i reaches a client that is sending 48 MiB', async (status, handler, headers) => {
    handle = handler
    for (const expect100 of [false, true]) {
      const sent = httpRequest({
        port,
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-length': LARGE, ...(expect100 && { expect: '100-continue' }) },
      })
      sent.on('error', () => undefined)
      const body = Buffer.alloc(LARGE)
      if (expect100) sent.on('continue', () => sent.end(body)).flushHeaders()
      else sent.end(body)
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
      expect(response.statusCode).toBe(status)
      await once(response, 'end')
      sent.destroy()
    }
  })

  it('cuts a client off that falls silent in the middle of its body', async () => {
    handle = (request, response) =>
      void readBody(request, request.headers, { ...BODY_LIMITS, idleMs: 50 }, folder).catch(
        (error: { status: number }) => response.writeHead(error.status).end('too slow'),
      )
    const bytes =
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    socket.write(bytes)
    await once(socket, 'close')
    expect(heard).toMatch(/^HTTP\/1.1 408 /)
    expect(lost).toBe(0)
  })

  it('in the middle of a chunked body reaches its client', async () => {
    handle = withBody({ ...BODY_LIMITS, rawBytes: 100_000 })
    const headers = { ...json, 'transfer-encoding': 'chunked' }
    const { status } = await ask('/', { method: 'POST', headers, body: Buffer.alloc(8 * MIB) })
    expect(status).toBe(413)
  })
})

describe('an answer', () => {
  it('in the middle of a body leaves the connection to the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const one = async (method: string, body?: Buffer): Promise<IncomingMessage> => {
      const sent = httpRequest({ port, method, agent, ...(body && { headers: json(body) }) }).end(body)
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      return response
    }
    const json = ({ length }: Buffer) => ({ 'content-type': 'application/json', 'content-length': length })
    handle = (request, response) =>
      request.method === 'GET'
        ? void response.end('next')
        : void request.once('data', () => response.writeHead(400).end('rejected'))
    // More than the buffers of both connections, so that the rest is still on its way.
    const first = await one('POST', Buffer.alloc(8 * MIB))
    const second = await one('GET')
    expect([first.statusCode, second.statusCode]).toEqual([400, 200])
    agent.destroy()
  })

  it('keeps its status, headers and length', async () => {
    handle = (_request, response) =>
      void response
        .writeHead(418, 'Short and stout', ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Own', '1'])
        .end('tea')
    const heard = await send('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    expect(heard).toMatch(/^HTTP\/1.1 418 Short and stout\r\n/)
    expect(heard.match(/Set-Cookie: (?:a=1|b=2)/g)).toHaveLength(2)
    expect(heard).toContain('tea')
  })

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('to %s of %i has no body', async (method, status) => {
    handle = (_request, response) => void response.writeHead(status, { 'x-own': '1' }).end()
    const heard = await send(`${method} / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`)
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(heard.split('\r\n\r\n', 2)[1]).toBe('')
  })

  it('to HTTP/1.0 is not chunked, and ends with its connection', async () => {
    handle = (_request, response) => {
      response.write('one')
      setImmediate(() => response.end('two'))
    }
    const heard = await send('GET / HTTP/1.0\r\n\r\n')
    expect(heard).not.toMatch(/transfer-encoding/i)
    expect(heard).toMatch(/\r\n\r\nonetwo$/)
  })

  it('that is streamed begins with its headers, and arrives piece by piece', async () => {
    let end = (): void => undefined
    handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      end = () => void response.end('data: 1\n\n')
    }
    const sent = httpRequest({ port, agent: false })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    end()
    const [chunk] = (await once(response, 'data')) as [Buffer]
    expect(chunk.toString()).toBe('data: 1\n\n')
  })

  it('waits for a client that reads slowly, in neither process', async () => {
    let written = 0
    handle = (_request, response) => {
      const more = (): void => {
        while (written < 64 * MIB) {
          written += MIB
          if (!response.write(Buffer.alloc(MIB))) return
        }
      }
      response.on('drain', more)
      more()
    }
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    await expect.poll(() => written).toBeGreaterThan(0)
    await delay(200)
    expect(written).toBeLessThan(32 * MIB)
    socket.destroy()
  })
})

describe('a client that leaves', () => {
  it.each([
    ['waits', 'GET / HTTP/1.1\r\nHost: here\r\n\r\n'],
    ['sends its body', 'POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100000\r\n\r\nabc'],
  ])('while it %s is noticed by the API half, which keeps its caches', async (_, bytes) => {
    const left = Promise.withResolvers<void>()
    handle = (request, response) => {
      request.on('data', () => undefined).on('error', () => undefined)
      response.once('close', () => left.resolve())
    }
    const socket = connect(port, '127.0.0.1')
    socket.write(bytes)
    await expect.poll(() => received.length).toBe(1)
    socket.destroy()
    await left.promise
    expect(lost).toBe(0)
  })
})

describe('while the API half is away', () => {
  it('requests wait, and are sent when it is back', async () => {
    proxy.down()
    const waiting = ask('/later')
    await delay(100)
    expect(received).toEqual([])
    proxy.up()
    expect((await waiting).status).toBe(200)
  })

  it('requests that find no socket are tried again', async () => {
    await stopApi()
    const waiting = ask('/later')
    await delay(200)
    await startApi()
    expect((await waiting).status).toBe(200)
  })

  it('requests that have waited for two seconds get 503', async () => {
    proxy.down()
    const { status, headers } = await ask('/', { method: 'POST', body: 'x' })
    expect([status, headers['retry-after'], received]).toEqual([503, '2', []])
  })

  it('at most 500 requests wait', async () => {
    proxy.down()
    const statuses = Array.from({ length: 501 }, () => ask('/').then(({ status }) => status))
    expect(await Promise.race(statuses)).toBe(503)
    proxy.up()
    const all = await Promise.all(statuses)
    expect(all.filter((status) => status === 200)).toHaveLength(500)
  })

  it('a request that it had received gets 502, and is never sent twice', async () => {
    handle = () => void stopApi()
    const { status, body } = await ask('/', { method: 'POST', body: 'x' })
    expect(status).toBe(502)
    expect(JSON.parse(body)).toEqual({ error: 'The server restarted. Whether this was done is not known' })
    expect([received.length, lost]).toEqual([1, 1])
  })

  it('a response that it had begun ends before its end, which its client notices', async () => {
    handle = (_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half')
      setTimeout(() => void stopApi(), 50)
    }
    await expect(ask('/')).rejects.toThrow()
  })
})

describe('connections', () => {
  it('of the private socket that were idle for long never lose a POST', async () => {
    expect(api.keepAliveTimeout).toBe(0)
    await ask('/')
    await delay(300)
    handle = readAll
    expect((await ask('/', { method: 'POST', body: 'x' })).status).toBe(200)
  })

  it('are not limited: streams and slow uploads of one address keep nobody waiting', async () => {
    const open: ServerResponse[] = []
    handle = (request, response) => {
      if (request.url === '/stream') open.push(response.writeHead(200))
      else response.end('quick')
    }
    const sockets = Array.from({ length: 300 }, (): Socket => {
      const socket = connect(port, '127.0.0.1')
      socket.write('GET /stream HTTP/1.1\r\nHost: here\r\n\r\n')
      return socket
    })
    await expect.poll(() => open.length).toBe(300)
    expect((await ask('/other')).body).toBe('quick')
    for (const socket of sockets) socket.destroy()
  })

  it('serve requests after each other in their order', async () => {
    handle = (request, response) =>
      void setTimeout(() => response.end(request.url), request.url === '/1' ? 80 : 0)
    const heard = await send(
      'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    )
    expect(heard.indexOf('/1')).toBeGreaterThan(0)
    expect(heard.indexOf('/2')).toBeGreaterThan(heard.indexOf('/1'))
  })
})

describe('what one process rejects', () => {
  it.each([
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'chunks that are not last',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
    ],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: a\r\nX-Waymark-Client : b\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX-One: b\r\n X-Waymark-Client: c\r\n\r\n'],
    ['a bare CR', 'GET / HTTP/1.1\r\nHost: a\r\nX-One: b\rX-Waymark-Client: c\r\n\r\n'],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a target that is no path', 'GET a/b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('never reaches the other: %s', async (_, bytes) => {
    expect(await send(bytes)).toMatch(/^HTTP\/1.1 400 /)
    expect(received).toEqual([])
  })

  it('hides no second request in a body', async () => {
    handle = readAll
    const inner = 'GET /hidden HTTP/1.1\r\nHost: a\r\nX-Waymark-Client: x\r\n\r\n'
    const outer = [
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)};a="b"\r\n${inner}\r\n0\r\nX-Waymark-Client: y z\r\n\r\n`,
    ]
    for (const bytes of outer) expect(await send(bytes)).toMatch(new RegExp(`\r\n\r\n${inner.length}$`))
    expect(received.map(({ url }) => url)).toEqual(['/', '/'])
  })

  it('passes on the absolute form as a path with its host, and Upgrade as a request', async () => {
    await send('GET http://there.example/x?y HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await send('GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    expect(received.map(({ url, headers }) => [url, headers.host, headers.upgrade])).toEqual([
      ['/x?y', 'there.example', undefined],
      ['/ws', 'a', undefined],
    ])
  })
})
