import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RateLimits, RateMeter } from './steps/rate-limit.ts'
import { createCors, Responses, UnsentBytes } from './responses.ts'

describe('a streamed response', () => {
  const logged: string[] = []
  const made: Readable[] = []
  let app: FastifyInstance
  let url = ''

  async function* pieces(breaks: boolean): AsyncGenerator<Buffer> {
    for (let count = 0; count < 100; count++) {
      yield Buffer.from(`${count}\r\n`.padStart(1000))
      if (breaks && count === 50) throw new Error('the database went away')
    }
  }

  beforeAll(async () => {
    const log = pino({}, { write: (line) => void logged.push(line) })
    const limits = {} as RateLimits
    const addressOf = (): string => {
      throw new Error('nobody asks')
    }
    const answers = new Responses({
      limits,
      rates: { read: 1, write: 1 },
      cors: createCors([]),
      addressOf,
      log,
    })
    app = fastify({ exposeHeadRoutes: true })
    app.get<{ Querystring: { breaks?: string } }>('/', (request, reply) => {
      const payload = Readable.from(pieces(request.query.breaks !== undefined), { objectMode: false })
      made.push(payload)
      const headers = { 'content-type': 'text/csv; charset=utf-8' }
      return answers.write(request, reply, { status: 200, payload, headers }, new RateMeter(limits))
    })
    url = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())

  it('is sent completely, without a length', async () => {
    const response = await fetch(url)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.has('content-length')).toBe(false)
    expect((await response.text()).length).toBe(100_000)
    expect(logged).toEqual([])
  })

  it('is not produced for HEAD', async () => {
    const response = await fetch(url, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.has('content-length')).toBe(false)
    expect([made.at(-1)?.destroyed, made.at(-1)?.readableDidRead]).toEqual([true, false])
  })

  it('that fails is aborted, so that clients notice that it is incomplete, and logged', async () => {
    await expect(fetch(`${url}/?breaks`).then((response) => response.text())).rejects.toThrow()
    expect(logged.join('')).toContain('the database went away')
  })

  it('stops when its client disconnects', async () => {
    const leaving = new AbortController()
    const response = await fetch(url, { signal: leaving.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    leaving.abort()
    await expect.poll(() => made.at(-1)?.destroyed).toBe(true)
    expect(logged).toHaveLength(1)
  })
})

const MIB = 1024 * 1024
const newResponse = (): ServerResponse => new EventEmitter() as ServerResponse

it('gives every address a share, and releases sent bytes', () => {
  const unsent = new UnsentBytes({ totalBytes: 10 * MIB, shareBytes: 4 * MIB })
  const response = newResponse()
  unsent.hold('a', 3 * MIB, response)
  expect(unsent.hasRoom('a', MIB)).toBe(true)
  expect(unsent.hasRoom('a', 2 * MIB)).toBe(false)
  expect(unsent.hasRoom('b', 2 * MIB)).toBe(true)
  response.emit('close')
  expect(unsent.hasRoom('a', 4 * MIB)).toBe(true)
})

it('limits all addresses together', () => {
  const unsent = new UnsentBytes({ totalBytes: 10 * MIB, shareBytes: 4 * MIB })
  for (const address of ['a', 'b', 'c']) unsent.hold(address, 3 * MIB, newResponse())
  expect(unsent.hasRoom('d', 2 * MIB)).toBe(false)
  expect(unsent.hasRoom('d', MIB)).toBe(true)
})

it('allows a response larger than the share if its address has no other', () => {
  const unsent = new UnsentBytes({ totalBytes: 10 * MIB, shareBytes: 4 * MIB })
  expect(unsent.hasRoom('a', 20 * MIB)).toBe(true)
  unsent.hold('a', 20 * MIB, newResponse())
  expect(unsent.hasRoom('a', MIB)).toBe(false)
})
