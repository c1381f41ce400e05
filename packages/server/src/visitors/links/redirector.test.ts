import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Click } from '../../clicks/spool/record.ts'
import type { Target } from './decide.ts'
import { testExtras, testRouting } from './target.testing.ts'
import type { Lookup } from './lookup.ts'
import { PlainVisits } from './plain-visits.ts'
import { createRedirector } from './redirector.ts'
import { createHostNotices } from '../notices/host-notices.ts'
import { TargetFinder } from './target-finder.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const link: Target = {
  linkId: '019a0000-0000-7000-8000-000000000001',
  url: 'https://example.com/there?a=b',
  status: 302,
  expiresAtMs: null,
  removed: false,
  extras: null,
}
const extras = testExtras({ passwordHash: 'x' })

const stored = new Map<string, Target>(
  Object.entries({
    abc: link,
    moved: { ...link, status: 301 },
    late: { ...link, expiresAtMs: NOW - 1 },
    gone: { ...link, removed: true },
    locked: { ...link, extras },
    guide: { ...link, extras: testRouting({ forwardsPath: true }) },
    'go.example/abc': { ...link, url: 'https://example.org/other' },
  }),
)

const lookup: Lookup = {
  find(domain, shortCode, done) {
    if (shortCode === 'broken') done(new Error('away'), null)
    else done(null, stored.get(domain === '' ? shortCode : `${domain}/${shortCode}`) ?? null)
  },
}

let clicks: Click[] = []
let server: Server
let port = 0

beforeAll(async () => {
  const passOn = (_req: IncomingMessage, res: ServerResponse): void => {
    res.writeHead(404, ['content-length', '9', 'x-answered-by', 'framework'])
    res.end('framework')
  }
  const spool = {
    append: (click: Click) => void clicks.push(click),
    afterWrite: (effect: () => void) => void setImmediate(effect),
  }
  const redirector = createRedirector({
    targets: new TargetFinder(lookup),
    visits: new PlainVisits({
      clicks: spool,
      notices: createHostNotices(() => undefined),
      now: () => NOW,
    }),
    clicks: spool,
    isRouted: (shortCode) => shortCode === 'app',
    domainOf: (host) => (host?.startsWith('go.example') === true ? 'go.example' : ''),
    addressOf: () => '203.0.113.9',
  })
  server = createServer({ headersTimeout: 500, connectionsCheckingInterval: 100 }, (req, res) => {
    if (!redirector.handle(req, res, passOn)) passOn(req, res)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as AddressInfo).port
})

beforeEach(() => {
  clicks = []
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends bytes unchanged and returns everything received until the server closes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (answer += chunk))
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve(answer))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(answer)
      else reject(error)
    })
  })
}

const get = (target: string, headers = '', method = 'GET') =>
  raw(`${method} ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}\r\n`)

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
const headerOf = (answer: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(answer)?.[1]
const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4)

describe('a link', () => {
  test('is the same with a trailing slash, and forwards a path if configured', async () => {
    for (const path of ['/abc/', '/abc/?a']) {
      const answer = await get(path)
      expect([statusOf(answer), headerOf(answer, 'location')]).toEqual([302, link.url])
    }
    const forwarded = await get('/guide/a%20b/c?d')
    expect(headerOf(forwarded, 'location')).toBe('https://example.com/there/a%20b/c?a=b')
    expect(clicks).toHaveLength(3)
    for (const path of ['/abc/a', '/abc//', '/guide/../a', '/guide/a/%2E%2e', '/guide/a%5Cb', '/unknown/a'])
      expect([path, statusOf(await get(path))]).toEqual([path, 404])
    expect(clicks).toHaveLength(3)
  })

  test('redirects, counts, and sends no unnecessary headers', async () => {
    const answer = await get(
      '/abc?a=1&qr',
      'user-agent: Mozilla\r\nreferer: https://a.example/\r\naccept-language: fr-CA\r\n',
    )
    expect(statusOf(answer)).toBe(302)
    expect(headerOf(answer, 'location')).toBe('https://example.com/there?a=b')
    expect(headerOf(answer, 'cache-control')).toBe('private, max-age=0')
    expect(headerOf(answer, 'content-length')).toBe('0')
    expect(clicks).toEqual([
      {
        atMs: NOW,
        kind: 'link',
        resourceUuid: link.linkId,
        detail: '',
        address: '203.0.113.9',
        userAgent: 'Mozilla',
        referrer: 'https://a.example/',
        prefetch: false,
        acceptLanguage: 'fr-CA',
        utmQuery: undefined,
        scanned: true,
      },
    ])
  })

  test('has its own status', async () => {
    expect(statusOf(await get('/moved'))).toBe(301)
  })

  test('responds to HEAD the same way and does not count it', async () => {
    const answer = await get('/abc', '', 'HEAD')
    expect([statusOf(answer), headerOf(answer, 'location'), bodyOf(answer)]).toEqual([302, link.url, ''])
    expect(clicks).toEqual([])
  })

  test.each([
    'Sec-Purpose: prefetch;prerender',
    'Purpose: prefetch',
    'X-Moz: prefetch',
    'X-Purpose: preview',
  ])('marks %s', async (header) => {
    await get('/abc', `${header}\r\n`)
    expect(clicks.map(({ prefetch }) => prefetch)).toEqual([true])
  })

  test('is looked up under the requested host', async () => {
    const answer = await raw('GET /abc HTTP/1.1\r\nhost: go.example:8080\r\nconnection: close\r\n\r\n')
    expect(headerOf(answer, 'location')).toBe('https://example.org/other')
  })

  test('responds to pipelined requests in order, and counts each', async () => {
    const one = 'GET /abc HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const answer = await raw(
      `${one}GET /moved HTTP/1.1\r\nhost: localhost\r\n\r\n${one.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')}`,
    )
    expect([...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map((match) => match[1])).toEqual([
      '302',
      '301',
      '302',
    ])
    expect(clicks).toHaveLength(3)
  })
})

describe('no link', () => {
  test.each([
    ['an unknown code', '/nowhere', 404, 'Link not found'],
    ['an expired link', '/late', 410, 'Link expired or removed'],
    ['a removed link', '/gone', 410, 'Link expired or removed'],
    ['a database that is away', '/broken', 503, 'Service unavailable'],
  ])('%s: a page for people, JSON for programs, no click', async (_name, path, status, error) => {
    const page = await get(path, 'accept: text/html,*/*\r\n')
    expect(statusOf(page)).toBe(status)
    expect(headerOf(page, 'content-type')).toBe('text/html; charset=utf-8')
    expect(headerOf(page, 'content-security-policy')).toContain("default-src 'none'")
    expect(bodyOf(page)).toMatch(/<h1>.+<\/h1><p>.+<\/p>/)
    expect(bodyOf(page)).not.toMatch(/<script|https?:/)
    const json = await get(path, 'accept: application/json\r\n')
    expect([statusOf(json), headerOf(json, 'content-type')]).toEqual([status, 'application/json'])
    expect(JSON.parse(bodyOf(json))).toEqual({ error })
    const head = await get(path, '', 'HEAD')
    expect([statusOf(head), bodyOf(head)]).toEqual([status, ''])
    expect(clicks).toEqual([])
  })

  test('an unavailable database returns Retry-After', async () => {
    expect(headerOf(await get('/broken'), 'retry-after')).toBe('2')
  })
})

describe('requests for Fastify', () => {
  test.each([
    ['a reserved word', '/app'],
    ['a preview', '/abc+'],
    ['the root', '/'],
    ['a path below a reserved word', '/app/links'],
    ['a link that needs thought', '/locked'],
    ['a link that needs thought, known by now', '/locked'],
  ])('%s', async (_name, path) => {
    expect(headerOf(await get(path), 'x-answered-by')).toBe('framework')
    expect(clicks).toEqual([])
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s', async (method) => {
    expect(headerOf(await get('/abc', 'content-length: 0\r\n', method), 'x-answered-by')).toBe('framework')
  })
})

describe('hostile targets', () => {
  test.each([
    ['an encoded NUL', '/abc%00'],
    ['encoded dots', '/%2e%2e'],
    ['encoded dots before a code', '/%2e%2e/abc'],
    ['double encoding', '/%252e%252e%252fabc'],
    ['an encoded letter of a code', '/%61bc'],
    ['10 KB of path', `/${'a'.repeat(10_240)}`],
    ['non-ASCII', '/abc\xe9'],
    ['overlong UTF-8', '/\xc0\xaeabc'],
    ['an absolute form', 'http://localhost/abc'],
    ['an absolute form of another host', 'http://go.example/abc'],
    ['a double slash', '//abc'],
    ['a double slash with a host', '//evil.example/abc'],
    ['a backslash', '/\\evil.example'],
    ['a semicolon', '/abc;x'],
    ['a name every object has', '/__proto__/abc'],
  ])('%s leads nowhere', async (_name, target) => {
    const answer = await get(target)
    expect([400, 404, 414, 431]).toContain(statusOf(answer))
    expect(headerOf(answer, 'location')).toBeUndefined()
    expect(clicks).toEqual([])
  })

  test.each(['/__proto__', '/constructor', '/toString', '/hasOwnProperty'])(
    '%s is a code like any other',
    async (path) => {
      expect(statusOf(await get(path))).toBe(404)
    },
  )

  test.each([
    [
      'length and chunks',
      'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /abc HTTP/1.1\r\n',
    ],
    ['two lengths', 'content-length: 0\r\ncontent-length: 10\r\n'],
    ['a length that is no number', 'content-length: 1x\r\n'],
    ['an unknown encoding', 'transfer-encoding: xchunked\r\n'],
    ['a line feed alone in a header', 'x-a: b\nx-c: d\r\n'],
    ['a NUL in a header', 'user-agent: a\0b\r\n'],
    ['a header that is no header', 'nonsense\r\n'],
    ['100 KB of headers', `x-long: ${'a'.repeat(102_400)}\r\n`],
  ])('%s: refused or ignored, never two answers, never a fault', async (_name, headers) => {
    const answer = await get('/abc', headers)
    expect([302, 400, 431]).toContain(statusOf(answer))
    expect([...answer.matchAll(/^HTTP\/1\.1 /gm)]).toHaveLength(1)
    if (statusOf(answer) === 302) expect(headerOf(answer, 'location')).toBe(link.url)
  })

  test('an endless header is cut off by the timeout', async () => {
    const answer = await raw('GET /abc HTTP/1.1\r\nhost: localhost\r\nx-never: ')
    expect(answer === '' || statusOf(answer) === 408).toBe(true)
    expect(clicks).toEqual([])
  })

  test('the server still works after all of that', async () => {
    expect(statusOf(await get('/abc'))).toBe(302)
  })
})
