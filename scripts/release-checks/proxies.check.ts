import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, multipart, sign } from '../../e2e/support/requests.ts'
import { type Account, startWaymark, type Waymark } from '../../e2e/support/waymark.ts'
import { createAccount } from './account.ts'
import { endAll, freePort, lastOutputs, until } from './https/children.ts'
import { findPrograms } from './https/debian-programs.ts'
import { CLIENT_ADDRESS, http2Status, open, plainLocation, send } from './proxies/client.ts'
import { HOST, type Proxy, startCaddy, startNginx } from './proxies/examples.ts'
import { printTable } from './table.ts'

/*
 * The examples of deploy/ for nginx and Caddy, run with these programs before a real server: they must do what docs/proxy.md
 * requires of a proxy. Debian has no package of Traefik, so its example is not run.
 */

const HEAD = [
  'proxy',
  'address',
  'signed query',
  'upload of 3 MB',
  'live click after',
  'HTTP/2',
  'plain HTTP redirects to',
]
const FORGED = '203.0.113.9'

interface Behind {
  readonly waymark: Waymark
  readonly account: Account
  readonly proxy: Proxy
}

/** The address that the server sees, instead of the one that the client claims. */
async function seenAddress({ waymark, proxy }: Behind): Promise<string> {
  const { status, headers } = await send(proxy, '/v1/links', { headers: { 'x-forwarded-for': FORGED } })
  assert.equal(status, 401)
  const find = (): string => {
    const line = waymark
      .output()
      .split('\n')
      .find((text) => text.includes(`"${String(headers['x-request-id'])}"`))
    if (line === undefined) throw new Error('The request is not in the log')
    return (JSON.parse(line) as { address: string }).address
  }
  const address = await until('the log', async () => find())
  assert.equal(address, CLIENT_ADDRESS)
  return address
}

/** A signature covers path and query as they were sent, so the proxy must not change a byte of them. */
async function signedQuery({ account, proxy }: Behind): Promise<string> {
  const path = '/v1/links?search=a%2Fb%20c+d%C3%A4&limit=1&'
  const { status, text } = await send(proxy, path, { headers: sign(account, 'GET', path) })
  assert.equal(status, 200, text)
  return String(status)
}

/** Larger than proxies allow by default; the response must come from the server. */
async function upload({ account, proxy }: Behind): Promise<string> {
  const path = '/v1/generate-qr'
  const { bytes, type, digest } = multipart([
    { name: 'url', value: 'https://example.com/' },
    { name: 'pattern', value: 'squares' },
    { name: 'logo', value: Buffer.alloc(3 * 1024 * 1024), filename: 'logo.png', type: 'image/png' },
  ])
  const headers = {
    'content-type': type,
    'content-length': String(bytes.length),
    ...sign(account, 'POST', path, digest),
  }
  const { status, text } = await send(proxy, path, { method: 'POST', headers, body: bytes })
  assert.equal(status, 422, text)
  assert.ok('logo' in (JSON.parse(text) as { errors: object }).errors, text)
  return `${status} of Waymark`
}

/** A click arrives on an open stream: no proxy waits for the end of the response. */
async function liveClick({ account, proxy }: Behind): Promise<string> {
  const create = json({ link: 'https://example.com/' })
  const made = await send(proxy, '/v1/generate-link', {
    method: 'POST',
    headers: {
      'content-type': create.type,
      'content-length': String(create.bytes.length),
      ...sign(account, 'POST', '/v1/generate-link', create.digest),
    },
    body: create.bytes,
  })
  const { code, short_url: shortUrl } = (JSON.parse(made.text) as { data: Record<string, string> }).data
  assert.equal(shortUrl, `https://${HOST}/${code}`)
  const stream = await open(proxy, '/v1/live', { headers: sign(account, 'GET', '/v1/live') })
  assert.equal(stream.statusCode, 200)
  const startedAt = performance.now()
  const visited = await send(proxy, `/${code}`, { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } })
  assert.equal(visited.headers.location, 'https://example.com/')
  let text = ''
  for await (const chunk of stream) {
    text += (chunk as Buffer).toString()
    if (text.includes('event: click')) break
  }
  assert.match(text, /event: click/, 'The stream ended without the click')
  return `${(performance.now() - startedAt).toFixed(0)} ms`
}

async function tryProxy(behind: Behind): Promise<string[]> {
  const { proxy } = behind
  await until(proxy.name, () => send(proxy, '/livez').then(({ status }) => assert.equal(status, 200)))
  const location = await plainLocation(proxy, '/some?query=1')
  assert.match(
    location ?? '',
    new RegExp(`^https://${HOST.replaceAll('.', '\\.')}(:${proxy.httpsPort})?/some\\?query=1$`),
  )
  const http2 = await http2Status(proxy, '/livez')
  assert.equal(http2, 200)
  return [
    proxy.name,
    await seenAddress(behind),
    await signedQuery(behind),
    await upload(behind),
    await liveClick(behind),
    String(http2),
    location ?? '',
  ]
}

const folder = await mkdtemp(join(tmpdir(), 'waymark-proxies-'))
// One proxy is before the server. By addresses, the client would count as a proxy here, because it is on the same machine.
const settings = {
  BASE_URL: `https://${HOST}`,
  TRUST_PROXY: '1',
  LOG_LEVEL: 'info',
  LOG_REQUESTS: 'all',
  LOG_ADDRESSES: 'on',
}
const rows: string[][] = []
let waymark: Waymark | undefined
let failure: unknown
try {
  const programs = findPrograms(folder, { nginx: 'nginx', caddy: 'caddy' })
  waymark = await startWaymark(settings)
  const account = await createAccount(waymark)
  const own = async (name: string): Promise<string> => {
    await mkdir(join(folder, name))
    return join(folder, name)
  }
  const caddy = programs['caddy'] ?? ''
  const { port } = waymark
  const proxies = [
    await startNginx(programs['nginx'] ?? '', await own('nginx'), port),
    await startCaddy(caddy, await own('custom-domains'), 'custom-domains.Caddyfile', {
      WAYMARK_PORT: String(port),
    }),
    // The second node does not respond: the example must continue with the first.
    await startCaddy(caddy, await own('nodes'), 'Caddyfile', {
      WAYMARK_HOST: HOST,
      WAYMARK_NODES: `127.0.0.1:${port} 127.0.0.1:${await freePort()}`,
    }),
  ]
  for (const proxy of proxies) rows.push(await tryProxy({ waymark, account, proxy }))
} catch (error) {
  failure = error
}
printTable(HEAD, rows)
if (failure !== undefined) {
  console.error('\nFAILED:', failure)
  console.error(lastOutputs())
}
await endAll()
await waymark?.stop()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
process.exit(failure === undefined ? 0 : 1)
