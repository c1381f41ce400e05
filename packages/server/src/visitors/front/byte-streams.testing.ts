/** Pseudo-random numbers, the same ones for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Short codes that a stream requests. */
export interface StreamTargets {
  /** Redirects, notices, reserved words and codes that do not exist. */
  readonly codes: readonly string[]
  /** Codes that accept a body without a password. */
  readonly postable: readonly string[]
  readonly hosts: readonly string[]
}

type Draw = <T>(items: readonly T[]) => T

interface Request {
  line: string
  headers: string[]
  body: string
}

const METHODS = ['HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'get', 'GETT', 'G', 'CONNECT']
const VERSIONS = [
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/0.9',
  'http/1.1',
  'HTTP/1.1 ',
  'HTTP/11',
  'RTSP/1.0',
]
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Safari/604.1',
  'facebookexternalhit/1.1',
  'curl/8.5.0',
  'x',
]
const PLAIN_HEADERS = [
  'Accept: text/html',
  'Accept: application/json',
  'accept: */*',
  'Accept-Language: en-US,en;q=0.5',
  'Accept-Encoding: gzip, br',
  'Referer: https://news.example/a?b#c',
  'referer:https://www.example.org',
  'X-Forwarded-For: 203.0.113.7',
  'X-Forwarded-For: 198.51.100.1, 203.0.113.7',
  'Forwarded: for=203.0.113.7',
  'Sec-Purpose: prefetch;prerender',
  'Purpose: prefetch',
  'X-Purpose: preview',
  'X-Moz: prefetch',
  'purpose: none',
  'Connection: keep-alive',
  'Connection: Keep-Alive',
  'Connection: close',
  'Cookie: a=b; c=d',
  'Cache-Control: max-age=0',
  'Upgrade-Insecure-Requests: 1',
  'DNT: 1',
  'Keep-Alive: 300',
  'TE: trailers',
  'If-None-Match: "x"',
  'Range: bytes=0-1',
]
const ODD_HEADERS = [
  'Connection: upgrade',
  'Connection: keep-alive, close',
  'Connection: CLOSE',
  'Connection: foo',
  'connection:close',
  'Proxy-Connection: close',
  'Proxy-Connection: keep-alive',
  'Upgrade: h2c',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Expect: 100-continue',
  'Expect: something',
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length : 5',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  ' Transfer-Encoding: chunked',
  'Content-Length: 5\r\nTransfer-Encoding: chunked',
  'Host: other.example',
  'host: other.example',
  'Host:',
  'Host: ',
  'Host : x',
  'User-Agent: second',
  'Referer: https://second.example/',
  'Accept: application/json\r\nAccept: text/html',
  'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2',
  'X-Forwarded-For:',
  'X-Forwarded-For: not an address',
  'X-Forwarded-For: ::ffff:203.0.113.9',
  'X-Forwarded-For: 2001:db8::1',
  'Purpose: prefetch\r\nPurpose: none',
  'X-A: folded\r\n value',
  'X-A: folded\r\n\tvalue',
  'X-A:\tafter a tab',
  'X-A: tab\tinside',
  'X-A: trailing space ',
  'X-A: trailing tab\t',
  'X-A:   several spaces',
  'X-A : space before the colon',
  'X-A',
  ': no name',
  '',
  'X A: space in the name',
  'X(A): bracket in the name',
  "X!#$%&'*+.^_`|~: token characters",
  'X-Ä: letter beyond ASCII in the name',
  'X-A: 8-bit \u00e4\u00ff\u0080',
  'X-A: control \u0001',
  'X-A: nul \0',
  'X-A: delete \u007f',
  'X-A: bare \rreturn',
  'X-A: bare \nX-B: feed',
  'User-Agent: 8-bit \u00e4',
  'Referer: \u00e4\u00f6',
  'Trailer: x',
]

/** A stream of bytes and the chunks it is sent in. */
export function byteStream(seed: number, targets: StreamTargets): Buffer[] {
  const random = randomNumbers(seed)
  const draw: Draw = (items) => items[Math.floor(random() * items.length)]!
  const chance = (share: number): boolean => random() < share
  const count = chance(0.5) ? 1 : 1 + Math.floor(random() * 4)
  const isOdd = chance(0.75)
  let text = ''
  for (let n = 0; n < count; n++) {
    const request = plainRequest(draw, chance, targets)
    if (isOdd && (n === count - 1 || chance(0.2)))
      for (let i = 0; i <= random() * 2; i++) makeOdd(request, draw, chance, targets)
    text += written(request, isOdd, draw, chance)
  }
  if (isOdd && chance(0.25)) text = damaged(text, random, draw)
  return cut(Buffer.from(text, 'latin1'), random)
}

/** Rests of paths after a short code. */
const RESTS = [
  '/',
  '/',
  '/a',
  '/a/b/',
  '//a',
  '/%61%2fb',
  '/../a',
  '/a/%2E',
  '/a%5Cb',
  '/\\a',
  `/${'a'.repeat(8_000)}`,
]

function plainRequest(draw: Draw, chance: (share: number) => boolean, targets: StreamTargets): Request {
  const query = chance(0.2) ? draw(['?', '?a=b', '?utm_source=x&y=%20z', '??/+', '?"<>[]{}|\\^`\'']) : ''
  const headers = [`${draw(['Host', 'host', 'HOST'])}:${draw([' ', ''])}${draw(targets.hosts)}`]
  if (chance(0.8)) headers.push(`User-Agent: ${draw(AGENTS)}`)
  while (chance(0.5)) {
    const line = draw(PLAIN_HEADERS)
    const name = line.slice(0, line.indexOf(':')).toLowerCase()
    if (!headers.some((other) => other.toLowerCase().startsWith(`${name}:`))) headers.push(line)
  }
  const rest = chance(0.2) ? draw(RESTS) : ''
  return { line: `GET /${draw(targets.codes)}${rest}${query} HTTP/1.1`, headers, body: '' }
}

function makeOdd(
  request: Request,
  draw: Draw,
  chance: (share: number) => boolean,
  targets: StreamTargets,
): void {
  const [method = '', path = '', version = ''] = request.line.split(' ')
  const at = (index: number, item: string): void => void request.headers.splice(index, 0, item)
  const odd: (() => void)[] = [
    () => {
      const other = draw(METHODS)
      const code = other === 'POST' ? `/${draw(targets.postable)}` : path
      request.line = `${other} ${code} ${version}`
    },
    () => (request.line = `${method} ${path} ${draw(VERSIONS)}`),
    () => (request.line = `${method} ${path}`),
    () => (request.line = `${method}  ${path}  ${version}`),
    () => (request.line = `${method}\t${path}\t${version}`),
    () => (request.line = ` ${request.line}`),
    () => (request.line = `\r\n${request.line}`),
    () => (request.line = `\n\n${request.line}`),
    () =>
      (request.line = `${method} ${draw(['http://a.example', 'https://', '//', '/', '.', 'x:'])}${path} ${version}`),
    () =>
      (request.line = `${method} ${path}${draw(['+', '/', '%', '%41', '%00', '.', '#x', '?a#b', '\u00e4', '\t', ' x', '\\', ';', '?\u00ff'])} ${version}`),
    () =>
      (request.line = `${method} ${draw(['/', '*', '/livez', '/p/none', '/app', '/v1/x', '/docs', '/robots.txt', '/%2f', '/i/x.svg'])} ${version}`),
    () =>
      (request.line = `${method} ${path}?${'q'.repeat(draw([100, 7_900, 8_192, 16_300, 16_400, 20_000]))} ${version}`),
    () => at(Math.floor(request.headers.length / 2), draw(ODD_HEADERS)),
    () => at(request.headers.length, draw(ODD_HEADERS)),
    () => at(0, draw(ODD_HEADERS)),
    () => request.headers.shift(),
    () => request.headers.push(...request.headers),
    () =>
      request.headers.push(...Array.from({ length: draw([60, 64, 65, 100, 300]) }, (_, n) => `X-${n}: ${n}`)),
    () => request.headers.push(`X-Long: ${'v'.repeat(draw([100, 7_800, 8_300, 16_500]))}`),
    () =>
      (request.body = draw([
        'hello',
        '5\r\nhello\r\n0\r\n\r\n',
        '0\r\n\r\n',
        'GET /x HTTP/1.1\r\nHost: a\r\n\r\n',
        '\r\n',
        '\0',
      ])),
  ]
  draw(odd)()
  if (request.body === '' && chance(0.2)) request.body = draw(['hello', '0\r\n\r\n'])
}

function written(
  { line, headers, body }: Request,
  isOdd: boolean,
  draw: Draw,
  chance: (share: number) => boolean,
): string {
  const end = isOdd && chance(0.1) ? draw(['\n', '\r', '\r\r\n', '\n\r', ' \r\n']) : '\r\n'
  const head = [line, ...headers].join(chance(0.5) ? end : '\r\n')
  return `${head}${chance(0.5) ? end : '\r\n'}${chance(0.5) ? end : '\r\n'}${body}`
}

/** Changes, inserts or deletes one byte, or truncates the text. */
function damaged(text: string, random: () => number, draw: Draw): string {
  const at = Math.floor(random() * text.length)
  const byte = draw(['\0', '\t', '\n', '\r', ' ', ':', '\u007f', '\u0080', '\u00ff', '/', 'A', '?', '#', '%'])
  const ways = [
    () => text.slice(0, at) + byte + text.slice(at),
    () => text.slice(0, at) + byte + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at),
  ]
  return draw(ways)()
}

function cut(bytes: Buffer, random: () => number): Buffer[] {
  const cuts = random() < 0.5 ? 0 : Math.floor(random() * 5)
  const places = Array.from({ length: cuts }, () => Math.floor(random() * bytes.length)).sort((a, b) => a - b)
  const chunks = [...places, bytes.length].map((end, n) => bytes.subarray(n === 0 ? 0 : places[n - 1], end))
  return chunks.filter((chunk) => chunk.length > 0)
}
