import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Click } from '../clicks/spool/record.ts'
import { Turns } from '../work/turns.ts'
import { createFront } from './front.ts'
import type { Target } from './links/decide.ts'
import type { Lookup, TargetFound } from './links/lookup.ts'
import { PlainVisits } from './links/plain-visits.ts'
import { testExtras } from './links/target.testing.ts'
import { TargetFinder } from './links/target-finder.ts'
import { createHostNotices } from './notices/host-notices.ts'

const target = (url: string, fields: Partial<Target> = {}): Target => ({
  linkId: 'link',
  url,
  status: 302,
  expiresAtMs: null,
  removed: false,
  extras: null,
  ...fields,
})
const limited = testExtras({ maxClicks: 1 })
const get = (code: string): string => `GET /${code} HTTP/1.1\r\nHost: a\r\n\r\n`

let asked: { code: string; done: TargetFound }[]
let clicks: Click[]
let isClosing: boolean
let server: Server
let clients: Socket[]

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  asked = []
  clicks = []
  clients = []
  isClosing = false
  const lookup: Lookup = { find: (_domain, code, done) => void asked.push({ code, done }) }
  server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    response.end(`node:http ${request.url}`)
  })
  const spool = {
    append: (click: Click) => void clicks.push(click),
    afterWrite: (effect: () => void) => void setImmediate(effect),
  }
  createFront({
    targets: new TargetFinder(lookup),
    visits: new PlainVisits({
      clicks: spool,
      notices: createHostNotices(() => undefined),
      now: Date.now,
    }),
    clicks: spool,
    isRouted: (code) => code === 'app',
    domainOf: () => '',
    addressOf: ({ socket }) => socket.remoteAddress ?? '',
    now: Date.now,
  })(server, () => isClosing, new Turns(4))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  vi.useRealTimers()
  for (const client of clients) client.destroy()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

async function client(): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  clients.push(socket)
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString())).on('error', () => undefined)
  await once(socket, 'connect')
  return { socket, heard: () => heard }
}

/** The look-up of a code, after it has been requested. */
const lookupOf = (code: string) =>
  vi.waitUntil(() => asked.find((one) => one.code === code), { timeout: 10_000 })
const known = async (code: string, found: Target): Promise<void> => {
  const { socket, heard } = await client()
  socket.write(get(code))
  ;(await lookupOf(code)).done(null, found)
  await vi.waitUntil(() => heard() !== '', { timeout: 10_000 })
}

it('responds in order while a look-up is running', async () => {
  await known('b', target('https://b.example/'))
  const { socket, heard } = await client()
  socket.write(get('a') + get('b'))
  const { done } = await lookupOf('a')
  expect(heard()).toBe('')
  done(null, target('https://a.example/'))
  await vi.waitUntil(() => heard().includes('https://b.example/'), { timeout: 10_000 })
  expect(heard().indexOf('https://a.example/')).toBeLessThan(heard().indexOf('https://b.example/'))
  expect(clicks).toHaveLength(3)
})

it('leaves a link with a click limit and all later requests to node:http', async () => {
  await known('b', target('https://b.example/'))
  const { socket, heard } = await client()
  socket.write(get('b') + get('few') + get('b'))
  ;(await lookupOf('few')).done(null, target('https://few.example/', { extras: limited }))
  await vi.waitUntil(() => heard().includes('node:http /b'), { timeout: 10_000 })
  expect(heard()).toMatch(/location: https:\/\/b\.example\/[^]*node:http \/few[^]*node:http \/b/)
})

it('responds to a client that has half-closed its connection', async () => {
  const { socket, heard } = await client()
  socket.end(get('a'))
  const { done } = await lookupOf('a')
  done(null, target('https://a.example/'))
  await once(socket, 'close')
  expect(heard()).toContain('https://a.example/')
})

it('records no click for a client that has disconnected', async () => {
  const { socket } = await client()
  socket.write(get('a'))
  const { done } = await lookupOf('a')
  socket.resetAndDestroy()
  await vi.waitUntil(
    () => new Promise<boolean>((resolve) => server.getConnections((_error, count) => resolve(count === 0))),
    { timeout: 10_000 },
  )
  done(null, target('https://a.example/'))
  expect(clicks).toEqual([])
})

it('stops reading from a client that does not read', async () => {
  await known('a', target(`https://a.example/${'x'.repeat(2_000)}`))
  const { socket } = await client()
  socket.pause()
  const requests = get('a').repeat(200)
  const before = clicks.length
  // Until the buffers of both sides are full: the server no longer reads.
  while (socket.write(requests)) await new Promise((resolve) => setImmediate(resolve))
  for (let seen = -1; seen !== clicks.length;) {
    seen = clicks.length
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(clicks.length).toBeGreaterThan(before)
  expect(socket.writableLength).toBeGreaterThan(0)
  vi.advanceTimersByTime(600_000)
  expect(socket.closed).toBe(false)
})

it('closes an idle connection after the keep-alive timeout', async () => {
  await known('a', target('https://a.example/'))
  const closed = once(clients[0]!, 'close')
  vi.advanceTimersByTime(60_000)
  expect(clients[0]?.closed).toBe(false)
  vi.advanceTimersByTime(12_000)
  await closed
})

it('closes connections after their last response when the server stops', async () => {
  await known('a', target('https://a.example/'))
  const { socket, heard } = await client()
  isClosing = true
  socket.write(get('a'))
  await once(socket, 'close')
  expect(heard()).toContain('Connection: close')
  const idle = once(clients[0]!, 'close')
  server.closeIdleConnections()
  await idle
})
