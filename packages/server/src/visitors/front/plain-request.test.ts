import { describe, expect, it } from 'vitest'
import { type PlainRequest, readPlainRequest } from './plain-request.ts'

const readText = (text: string, from: number): PlainRequest | null =>
  readPlainRequest(Buffer.from(text, 'latin1'), text, from)
const request = (line: string, ...headers: string[]): string => [line, ...headers, '', ''].join('\r\n')
const get = (...headers: string[]): string => request('GET /code HTTP/1.1', 'Host: a.example', ...headers)

describe('a plain request', () => {
  it('is read with the headers that a redirect depends on', () => {
    const text = get(
      'User-Agent: agent/1 (with spaces)',
      'referer:https://b.example/?c',
      'ACCEPT: text/html',
      'Accept-Language: fr',
      'X-Forwarded-For: 192.0.2.1, 192.0.2.2',
      'Sec-Purpose: prefetch',
      'Cookie: not=read',
    )
    expect(readText(text, 0)).toEqual({
      shortCode: 'code',
      rest: '',
      query: '',
      headers: {
        host: 'a.example',
        'user-agent': 'agent/1 (with spaces)',
        referer: 'https://b.example/?c',
        accept: 'text/html',
        'accept-language': 'fr',
        'x-forwarded-for': '192.0.2.1, 192.0.2.2',
        'sec-purpose': 'prefetch',
        purpose: undefined,
        'x-purpose': undefined,
        'x-moz': undefined,
        connection: undefined,
      },
      closes: false,
      end: text.length,
    })
  })

  it('can follow another one', () => {
    const [one, two] = [get('Accept: */*'), request('GET /two?a=%20 HTTP/1.1', 'Host: b')]
    const first = readText(one + two, 0)
    expect(first?.end).toBe(one.length)
    expect(readText(one + two, one.length)).toMatchObject({
      shortCode: 'two',
      headers: { host: 'b', accept: undefined },
      end: one.length + two.length,
    })
  })

  it.each([
    ['/code/', '', ''],
    ['/code/?q', '', 'q'],
    ['/code/a/b', 'a/b', ''],
    ['/code//a%20b/?q=/c', '/a%20b/', 'q=/c'],
    ['/code/../\\', '../\\', ''],
  ])('may have a path behind the short code: %s', (path, rest, query) => {
    const text = request(`GET ${path} HTTP/1.1`, 'Host: a')
    expect(readText(text, 0)).toMatchObject({ shortCode: 'code', rest, query, end: text.length })
  })

  it.each([
    ['keep-alive', false],
    ['Keep-Alive', false],
    ['close', true],
  ])('may have the header connection: %s', (value, closes) => {
    expect(readText(get(`Connection: ${value}`), 0)?.closes).toBe(closes)
  })

  it('has at most 64 headers and 8 KiB', () => {
    const headers = (count: number): string[] => Array.from({ length: count }, (_, n) => `X-${n}: 1`)
    expect(readText(get(...headers(63)), 0)).not.toBeNull()
    expect(readText(get(...headers(64)), 0)).toBeNull()
    const padding = 8 * 1024 - get('X: ').length
    expect(readText(get(`X: ${'v'.repeat(padding)}`), 0)).not.toBeNull()
    expect(readText(get(`X: ${'v'.repeat(padding + 1)}`), 0)).toBeNull()
    const query = 8 * 1024 - request('GET /c? HTTP/1.1', 'Host: a').length
    expect(readText(request(`GET /c?${'q'.repeat(query)} HTTP/1.1`, 'Host: a'), 0)).not.toBeNull()
    expect(readText(request(`GET /c?${'q'.repeat(query + 1)} HTTP/1.1`, 'Host: a'), 0)).toBeNull()
  })
})

describe('node:http reads', () => {
  it.each([
    ['a part of a request', get().slice(0, -1)],
    ['nothing', ''],
    ['another method', request('HEAD /code HTTP/1.1', 'Host: a')],
    ['a method in small letters', request('get /code HTTP/1.1', 'Host: a')],
    ['another version', request('GET /code HTTP/1.0', 'Host: a')],
    ['a path that begins with no short code', request('GET /a.b/c HTTP/1.1', 'Host: a')],
    ['letters beyond ASCII in the path', request('GET /code/\u00e4 HTTP/1.1', 'Host: a')],
    ['a fragment in the path', request('GET /code/a#b HTTP/1.1', 'Host: a')],
    ['an empty path', request('GET / HTTP/1.1', 'Host: a')],
    ['a short code that is too long', request(`GET /${'c'.repeat(65)} HTTP/1.1`, 'Host: a')],
    ['a request for a preview', request('GET /code+ HTTP/1.1', 'Host: a')],
    ['percent signs in the path', request('GET /%63ode HTTP/1.1', 'Host: a')],
    ['an absolute URL', request('GET http://a/code HTTP/1.1', 'Host: a')],
    ['a fragment', request('GET /code?a#b HTTP/1.1', 'Host: a')],
    ['letters beyond ASCII in the query', request('GET /code?\u00e4 HTTP/1.1', 'Host: a')],
    ['two spaces', request('GET  /code HTTP/1.1', 'Host: a')],
    ['an empty line in front', `\r\n${get()}`],
    ['bare line feeds', get().replaceAll('\r', '')],
    ['one bare line feed', get('X: 1').replace('1\r\n', '1\n')],
    ['no host', request('GET /code HTTP/1.1', 'User-Agent: a')],
    ['two hosts', get('host: b.example')],
    ['an empty host', request('GET /code HTTP/1.1', 'Host: ', 'X: 1')],
    ['a repeated header that is read', get('Referer: https://a', 'Referer: https://b')],
    ['a header that goes on in the next line', get('X: 1', ' 2')],
    ['a space before the colon', get('X : 1')],
    ['no colon', get('X')],
    ['no name', get(': 1')],
    ['a name with other letters', get('X\u00e4: 1')],
    ['an empty value', get('X:')],
    ['a tab', get('X:\t1')],
    ['a space at the end', get('X: 1 ')],
    ['two spaces in front of a value', get('X:  1')],
    ['a control character', get('X: \u0001')],
    ['letters beyond ASCII', get('X: \u00e4')],
    ['a body', get('Content-Length: 0')],
    ['a body in chunks', get('Transfer-Encoding: chunked')],
    ['an expectation', get('Expect: 100-continue')],
    ['an upgrade', get('Upgrade: websocket')],
    ['another connection header', get('Connection: upgrade')],
    ['several connection options', get('Connection: keep-alive, close')],
    ['a connection header of a proxy', get('Proxy-Connection: close')],
  ])('%s', (_what, text) => {
    expect(readText(text, 0)).toBeNull()
  })
})
