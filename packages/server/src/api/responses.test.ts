import { Readable } from 'node:stream'
import fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Responses } from './responses.ts'
import { createCors } from './cors.ts'
import { RateMeter, type RateLimits } from './rate-meter.ts'
import type { RequestFacts } from './routes.ts'

describe('an response that is still being made', () => {
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
    const factsOf = (): RequestFacts => {
      throw new Error('nobody asks')
    }
    const answers = new Responses({
      limits,
      rates: { read: 1, write: 1 },
      cors: createCors([]),
      factsOf,
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

  it('goes out whole, without a length', async () => {
    const response = await fetch(url)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.has('content-length')).toBe(false)
    expect((await response.text()).length).toBe(100_000)
    expect(logged).toEqual([])
  })

  it('is not made at all for HEAD', async () => {
    const response = await fetch(url, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.has('content-length')).toBe(false)
    expect([made.at(-1)?.destroyed, made.at(-1)?.readableDidRead]).toEqual([true, false])
  })

  it('that fails on its way breaks off, so that nobody takes a part for the whole, and is logged', async () => {
    await expect(fetch(`${url}/?breaks`).then((response) => response.text())).rejects.toThrow()
    expect(logged.join('')).toContain('the database went away')
  })

  it('stops being made when nobody reads it any more', async () => {
    const leaving = new AbortController()
    const response = await fetch(url, { signal: leaving.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    leaving.abort()
    await expect.poll(() => made.at(-1)?.destroyed).toBe(true)
    expect(logged).toHaveLength(1)
  })
})
