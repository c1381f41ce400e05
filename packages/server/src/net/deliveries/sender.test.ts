import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { type Attempt, send } from './sender.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** A real receiver for one test. */
async function receiving<T>(listener: RequestListener, test: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await test(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=b`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const attempt = (url: string, more: Partial<Attempt> = {}): Attempt => ({
  url,
  id: 'one',
  body: '{"type":"link.created","text":"ünï"}',
  secret,
  allowPrivate: true,
  atMs: Date.now(),
  timeoutMs: 2_000,
  signal: new AbortController().signal,
  ...more,
})

describe('send', () => {
  it('sends requests that the library of receivers verifies', async () => {
    const seen: unknown[] = []
    const outcome = await receiving(
      (request, response) => {
        void text(request).then((body) => {
          seen.push(request.method, request.url, request.headers['content-type'])
          seen.push(new Webhook(secret).verify(body, request.headers as Record<string, string>))
          response.writeHead(202).end('thanks')
        })
      },
      (url) => send(attempt(url)),
    )
    expect(outcome).toEqual({ status: 202, error: null })
    expect(seen).toEqual(['POST', '/hook?a=b', 'application/json', { type: 'link.created', text: 'ünï' }])
  })

  it.each([
    [302, 'The receiver returned 302; redirects are not followed'],
    [404, 'The receiver returned 404'],
    [500, 'The receiver returned 500'],
  ])('counts %s as a failure, and goes nowhere else', async (status, error) => {
    let requests = 0
    const outcome = await receiving(
      (_request, response) => {
        requests++
        response.writeHead(status, { location: '/elsewhere' }).end()
      },
      (url) => send(attempt(url)),
    )
    expect([outcome, requests]).toEqual([{ status, error }, 1])
  })

  it('waits no longer than its timeout', async () => {
    const outcome = await receiving(
      () => {},
      (url) => send(attempt(url, { timeoutMs: 100 })),
    )
    expect(outcome).toEqual({ status: null, error: 'No response within 0.1 seconds' })
  })

  it('uses the status of a response that never ends, and reads little of it', async () => {
    let written = 0
    const flood: RequestListener = (_request, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (response.write('x'.repeat(65_536))) written++
        response.once('drain', more)
      }
      more()
    }
    expect(await receiving(flood, (url) => send(attempt(url)))).toEqual({ status: 200, error: null })
    expect(written).toBeLessThan(1_000)
    const drip: RequestListener = (_request, response) => void response.writeHead(200).write('x')
    expect(await receiving(drip, (url) => send(attempt(url, { timeoutMs: 100 })))).toEqual({
      status: 200,
      error: null,
    })
  })

  it('reports why a receiver cannot be reached', async () => {
    const url = await receiving(
      () => {},
      (address) => Promise.resolve(address),
    )
    expect(await send(attempt(url))).toEqual({ status: null, error: 'The connection was refused' })
    expect(await send(attempt(url.replace('http:', 'https:')))).toMatchObject({ status: null })
  })

  it('reports receivers that hang up or do not speak HTTP', async () => {
    const hangUp = await receiving(
      (request) => request.socket.destroy(),
      (url) => send(attempt(url)),
    )
    expect(hangUp).toEqual({ status: null, error: 'The connection was closed before a response arrived' })
    const nonsense = await receiving(
      (request) => request.socket.end('SSH-2.0-nonsense\r\n'),
      (url) => send(attempt(url)),
    )
    const upgraded = await receiving(
      (request) =>
        request.socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      (url) => send(attempt(url)),
    )
    expect(upgraded).toEqual(hangUp)
    expect(nonsense).toMatchObject({ status: null, error: expect.stringContaining('The request failed') })
  })

  it('does not connect to this machine unless allowed', async () => {
    let connections = 0
    await receiving(
      () => connections++,
      async (url) => {
        const inside = [
          url,
          url.replace('127.0.0.1', 'localhost'),
          url.replace('127.0.0.1', '[::ffff:7f00:1]'),
        ]
        for (const address of inside)
          expect(await send(attempt(address, { allowPrivate: false }))).toEqual({
            status: null,
            error: 'The address is not public',
          })
      },
    )
    expect(connections).toBe(0)
  })

  it('stops with its signal, without an outcome', async () => {
    const ending = new AbortController()
    const sent = receiving(
      () => ending.abort(),
      (url) => send(attempt(url, { signal: ending.signal })),
    )
    await expect(sent).rejects.toThrow()
  })
})
