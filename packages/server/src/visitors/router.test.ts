import { once } from 'node:events'
import { createServer, type IncomingMessage, request as ask, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addSites } from '../api/server.ts'
import { toAppError } from '../api/app-errors.ts'
import { currentRequester } from '../net/admission/gate.ts'
import { AppError } from '../net/errors.ts'
import { type Exchange, get, METHODS, readQuery, route, Router, send } from './router.ts'

/*
 * The router must match paths, methods and queries as Fastify does: what the API serves and what visitors are served share one
 * port. Both get the same routes and the same requests here.
 */

const PATHS = [
  '/i/:name',
  '/o/links/:name',
  '/o/:name',
  '/p/:slug/:file',
  '/robots.txt',
  '/.well-known/a/b',
] as const
const POSTED = '/e/:uuid/:kind/:id'
const OPEN = ['/:code', '/:code/*'] as const
/** Fastify's paths. */
const ELSEWHERE = ['/', '/app', '/app/*', '/live']
const CLOSED = 'the connection closes'

const echo = (path: string) => (exchange: Exchange) => {
  const { params, query } = exchange
  send(exchange, 200, { 'content-type': 'text/plain' }, JSON.stringify({ path, params, query }))
}
const respond = (error: unknown) => {
  const { status, body, headers } = toAppError(error)
  return { status, headers, text: JSON.stringify(body) }
}

function openRouter(): Server {
  const router = new Router({
    elsewhere: ELSEWHERE,
    routes: [
      ...PATHS.map((path) => get(path, echo(path))),
      route(['POST'], POSTED, echo(POSTED)),
      get('/fails', () => Promise.reject(new AppError('busy'))),
      ...OPEN.map((path) => route(METHODS, path, echo(path))),
    ],
    nothingAt: () => ({ status: 404, headers: ['content-length', '7'], body: Buffer.from('nothing') }),
    reject: async (request, response, _id, error) => {
      const { status, headers, text } = respond(error)
      send({ request, response }, status, headers, text)
    },
    isOwnHost: () => true,
    isSecure: false,
    addressOf: () => '192.0.2.1',
    newId: () => 'id',
    name: undefined,
    report: () => undefined,
  })
  return createServer((request, response) => {
    if (!router.handle(request, response)) app.routing(request, response)
  })
}

function openFastify() {
  const app = fastify({
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 1024 },
    frameworkErrors: (_error, _request, reply) =>
      void reply.raw.writeHead(404, { 'content-length': '7' }).end('nothing'),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
  addSites(
    app,
    [
      () => {
        const show = (path: string, { params, query }: FastifyRequest, reply: FastifyReply) => {
          const { '*': _rest, ...named } = params as Record<string, string>
          return reply.type('text/plain').send(JSON.stringify({ path, params: named, query }))
        }
        for (const path of PATHS) app.get(path, (request, reply) => show(path, request, reply))
        app.post(POSTED, (request, reply) => show(POSTED, request, reply))
        app.get('/fails', () => Promise.reject(new AppError('busy')))
        const method = METHODS.filter((each) => each !== 'HEAD')
        for (const url of OPEN)
          app.route({ method: [...method], url, handler: (request, reply) => show(url, request, reply) })
        for (const url of ELSEWHERE)
          app.route({ method, url, handler: (_request, reply) => reply.send(Buffer.from('elsewhere')) })
      },
    ],
    (_request, reply, error) => {
      const { status, headers, text } = respond(error)
      return reply.code(status).headers(headers).send(Buffer.from(text))
    },
  )
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, text } = respond(error)
    return reply.code(status).headers(headers).send(Buffer.from(text))
  })
  return app
}

const app = openFastify()
const router = openRouter()
const ports: number[] = []
beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  router.listen(0, '127.0.0.1')
  await once(router, 'listening')
  ports.push(...[router, app.server].map((server) => (server.address() as AddressInfo).port))
})
afterAll(async () => {
  router.closeAllConnections()
  router.close()
  await app.close()
})

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
}

const responseOf = (
  port: number | undefined,
  { method, path, headers = {} }: Sent,
): Promise<object | string> =>
  new Promise((resolve) => {
    const sent = ask({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { allow, 'content-length': length, 'retry-after': retryAfter } = response.headers
        const body = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode, allow, length, retryAfter, body })
      })
    })
    sent.on('error', () => resolve(CLOSED)).end()
  })

const both = async (sent: Sent) => {
  const [ours, fastifys] = await Promise.all(ports.map((port) => responseOf(port, sent)))
  return { ours, fastifys }
}

const LONG = 'x'.repeat(1024)
const TARGETS = [
  '/',
  '//',
  '///',
  '/?x',
  '/app',
  '/app/',
  '/app/%zz',
  '/%61pp',
  '/app%2F',
  '/app/x/y',
  '/live',
  '/live/',
  '/livez',
  '/i/a',
  '/i/',
  '/i',
  '/i//',
  '/i/a/',
  '/i/a/b',
  '/%69/a',
  '/i/%61',
  '/i/a%2Fb',
  '/i/%252F',
  '/i/%2525',
  '/i/%zz',
  '/o/links',
  '/o/links/',
  '/o/links/x',
  '/o/links/x/y',
  '/o/l%69nks/x',
  '/o/links%2Fx',
  '/p//x',
  '/p/a/',
  '/p/a/b?c',
  '/robots.txt',
  '/robots%2Etxt',
  '/robots.txt/',
  '/ROBOTS.TXT',
  '/.well-known/a/b',
  '/.well-known/a',
  '/%E0%A4',
  '/%C3%BC',
  '/a+b',
  '/a%2Bb',
  '/a%20b',
  '/a;b=c',
  '/a:b',
  '/a,b',
  '/a@b',
  '/a#b?c',
  '/a?b#c',
  '/a?b?c',
  '/a%3Fb',
  '/a%23b',
  '/%00',
  `/${LONG}`,
  `/${LONG}x`,
  `/i/${LONG}`,
  `/i/${LONG}x`,
  `/${LONG}x/y`,
  `/p/${LONG}x/y`,
  `/a/${LONG}x`,
  `/${LONG}%61`,
  '/e/1/2/3',
  '/e/1/2',
  '/e/1/2/3/4',
  '/e/%31/2%2F/',
  '/fails',
  '/fails/x',
  '/*',
  '/:code',
  '/i/:name',
  '/constructor',
  '/i/a?x=1&x=2&x=3',
  '/i/a?x',
  '/i/a?x=',
  '/i/a?=x',
  '/i/a?&&x=1&',
  '/i/a?x=a+b%20c%2B',
  '/i/a?x=%zz',
  '/i/a?x=%FF&%FF',
  '/i/a?x=a=b',
  '/i/a?%78=1',
  '/i/a?x+y=1',
  '/i/a?__proto__=1',
  '/i/a?toString&toString',
  '/i/a?x=%E2%82%AC',
  '/i/a?x[]=1',
]

it('finds the route, parameters and query that Fastify finds', async () => {
  for (const method of METHODS)
    for (const path of TARGETS) {
      const { ours, fastifys } = await both({ method, path })
      expect([method, path, ours]).toEqual([method, path, fastifys])
    }
})

it('finds them for any path', async () => {
  const piece = constantFrom(
    '/',
    '/',
    'i',
    'o',
    'p',
    'e',
    'links',
    'app',
    'a',
    '%2F',
    '%61',
    '%',
    '%25',
    '?',
    '&',
    '=',
    '+',
    '#',
    '.',
    ':',
  )
  const path = array(piece, { maxLength: 10 }).map((pieces) => `/${pieces.join('')}`)
  await assert(
    asyncProperty(path, constantFrom(...METHODS), async (path, method) => {
      const { ours, fastifys } = await both({ method, path })
      expect(ours).toEqual(fastifys)
    }),
    { numRuns: 2_000 },
  )
})

it('rejects the content types that Fastify rejects, after the method', async () => {
  const types = [
    '',
    'nonsense',
    'a/b',
    'a/b;',
    'a/b; c',
    'a/b c',
    'a /b',
    ' a/b ',
    'a/b;c=d',
    'a/',
    '/b',
    'a/b/c',
    'a/b, c/d',
    'undefined',
  ]
  for (const type of types)
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
      for (const path of ['/e/1/2/3', '/x', '/i/a']) {
        const { ours, fastifys } = await both({ method, path, headers: { 'content-type': type } })
        expect([type, method, path, ours]).toEqual([type, method, path, fastifys])
      }
})

it('acts for the address, names the route, and requires https on the own host', async () => {
  const seen: unknown[] = []
  const open = new Router({
    elsewhere: [],
    routes: [
      get('/a', (exchange) => {
        seen.push(currentRequester().address)
        send(exchange, 200, {})
      }),
    ],
    nothingAt: () => ({ status: 404, headers: [], body: Buffer.alloc(0) }),
    reject: () => Promise.resolve(),
    isOwnHost: (host) => host === 'own.example',
    isSecure: true,
    addressOf: () => '2001:db8::1',
    newId: () => 'an id',
    name: (_request, ...name) => void seen.push(name),
    report: () => undefined,
  })
  const server = createServer((request, response) => void open.handle(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const security = async (host: string): Promise<string | null> => {
    const response = await new Promise<IncomingMessage>((resolve) => {
      ask({ port, host: '127.0.0.1', path: '/a', headers: { host }, agent: false }, resolve).end()
    })
    response.resume()
    return response.headers['strict-transport-security'] ?? null
  }
  expect([await security('own.example'), await security('go.example')]).toEqual(['max-age=31536000', null])
  const [address] = seen.splice(1, 1)
  expect(address).toMatch(/^2001:db8:/)
  expect(seen).toEqual([['/a', 'an id'], ['/a', 'an id'], address])
  server.close()
})

it('closes the connection of a response that fails halfway', async () => {
  const reported: unknown[] = []
  const broken = new Router({
    elsewhere: [],
    routes: [
      get('/a', ({ response }) => {
        response.writeHead(200, { 'content-length': '2' }).write('a')
        throw new Error('broken')
      }),
    ],
    nothingAt: () => ({ status: 404, headers: [], body: Buffer.alloc(0) }),
    reject: (_request, response) => Promise.resolve().then(() => response.writeHead(500)),
    isOwnHost: () => true,
    isSecure: false,
    addressOf: () => '192.0.2.1',
    newId: () => 'id',
    name: undefined,
    report: (error) => void reported.push(error),
  })
  const server = createServer((request, response) => void broken.handle(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(fetch(`http://127.0.0.1:${port}/a`).then((response) => response.text())).rejects.toThrow()
  expect(reported).toHaveLength(1)
  server.close()
})

it('reads a query with many parameters in linear time', () => {
  const { a } = readQuery('a&'.repeat(100_000))
  expect(a).toHaveLength(100_000)
})
