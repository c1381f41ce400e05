import { execFileSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startAcme } from './https/acme.ts'
import { endAll, freePort, lastOutputs, start, until } from './https/children.ts'
import { findPrograms } from './https/debian-programs.ts'
import { visitHttps } from './https/visit.ts'
import { Steps } from './steps.ts'

/*
 * From `git clone` to a verified custom domain that responds over HTTPS, step by step, with a real proxy (Caddy, with the
 * example configuration of deploy/caddy) and a real ACME server (pebble). A host that is not verified gets no
 * certificate. `--here` uses this checkout instead of a clone.
 */

const LIMIT_S = 600
const ASKS = 1_000
/** Requests before measuring, during which the client compiles its own code. */
const WARM_UP = 200
/** Ten times the promised time, because this machine may be busy. */
const MAX_ASK_MS = 50
const HOST = 'go.example.com'
const CUSTOM = 'links.example.org'

const { values } = parseArgs({ options: { here: { type: 'boolean' } } })
const repository = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'waymark-https-'))
const checkout = values.here === true ? repository : join(folder, 'waymark')
const steps = new Steps()

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The parts of an instance that the steps use. */
function clientOf(port: number, waymark: (...words: string[]) => Record<string, string>) {
  let key: Record<string, string> = {}
  let lastMs = 0
  return {
    signUp() {
      const email = 'owner@example.org'
      waymark('user', 'create', '--email', email, '--password', 'Correct-horse-1')
      key = waymark('key', 'create', '--email', email)
    },
    async call(path: string, body: object): Promise<Record<string, string>> {
      const text = JSON.stringify(body)
      lastMs = Math.max(Date.now(), lastMs + 1)
      const canonical = [lastMs, 'POST', path, sha256(text)].join('\n')
      const headers = {
        'content-type': 'application/json',
        'x-api-key': key['api_key'] ?? '',
        'x-timestamp': String(lastMs),
        'x-signature': createHmac('sha256', key['secret'] ?? '')
          .update(canonical)
          .digest('hex'),
      }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: text })
      const answer = (await response.json()) as { data: Record<string, string> }
      if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
      return answer.data
    },
  }
}

/** The example configuration, with the ports and the ACME server of this check added. */
async function caddyfile(lines: readonly string[]): Promise<string> {
  const example = await readFile(join(checkout, 'deploy/caddy/custom-domains.Caddyfile'), 'utf8')
  const file = join(folder, 'Caddyfile')
  await writeFile(file, example.replace(/^\{$/m, `{\n${lines.map((line) => `\t${line}`).join('\n')}`))
  return file
}

async function check(): Promise<void> {
  const programs = findPrograms(folder, {
    caddy: 'caddy',
    pebble: 'pebble',
    'pebble-challtestsrv': 'pebble',
  })
  const acme = await startAcme(folder, programs)
  const [port, httpPort, httpsPort] = await Promise.all([freePort(), freePort(), freePort()])
  if (values.here !== true) {
    await steps.take('git clone', () => execFileSync('git', ['clone', '--quiet', repository, checkout]))
    await steps.take('npm ci', () => execFileSync('npm', ['ci'], { cwd: checkout, stdio: 'pipe' }))
  }
  const useDns = `import dns from 'node:dns';dns.setServers(['${acme.dns}']);dns.promises.setServers(['${acme.dns}'])`
  const env = {
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    BASE_URL: `https://${HOST}`,
    TRUST_PROXY: 'loopback',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(useDns)}`,
  }
  await steps.take('npm start', async () => {
    start('waymark', ['npm', 'start'], { cwd: checkout, env })
    await until('Waymark', () => fetch(`http://127.0.0.1:${port}/livez`))
  })
  const client = clientOf(port, (...words) => {
    const command = [join(checkout, 'packages/server/bin/waymark.mjs'), ...words, '--json']
    const options = { cwd: checkout, env: { ...process.env, ...env }, encoding: 'utf8' as const }
    return JSON.parse(execFileSync(process.execPath, command, options)) as Record<string, string>
  })
  await steps.take('create an account and a key', () => client.signUp())
  await steps.take('start Caddy', async () => {
    const lines = [
      'admin off',
      `http_port ${httpPort}`,
      `https_port ${httpsPort}`,
      `acme_ca ${acme.directory}`,
      `acme_ca_root ${acme.rootFile}`,
    ]
    const command = [
      programs['caddy'] ?? '',
      'run',
      '--adapter',
      'caddyfile',
      '--config',
      await caddyfile(lines),
    ]
    start('caddy', command, { cwd: folder, env: { WAYMARK_PORT: String(port) } })
    await until('Caddy', () => fetch(`http://127.0.0.1:${httpPort}/`, { redirect: 'manual' }))
  })
  const visit = (host: string, path: string) => visitHttps(host, path, httpsPort, acme.authority)
  const show = ({ status, issuer }: Awaited<ReturnType<typeof visit>>) => `${status}, issued by ${issuer}`
  await steps.take(`first HTTPS request to ${HOST}`, () => visit(HOST, '/livez'), show)
  const domain = await steps.take('add the domain and its TXT record', async () => {
    const added = await client.call('/v1/add-domain', { name: CUSTOM })
    await acme.setTxt(added['txt_name'] ?? '', added['txt_value'] ?? '')
    return added
  })
  await steps.take('HTTPS before it is verified', () => refused(() => visit(CUSTOM, '/')), String)
  await steps.take('verify the domain', () => client.call('/v1/verify-domain', { name: domain['name'] }))
  const link = await client.call('/v1/generate-link', { link: 'https://example.com/', domain: CUSTOM })
  const first = await steps.take(
    `first HTTPS request to ${CUSTOM}`,
    () => visit(CUSTOM, `/${link['code']}`),
    show,
  )
  if (first.status !== 302 || first.location !== 'https://example.com/' || !first.names.includes(CUSTOM))
    throw new Error(`The short link did not redirect over HTTPS: ${JSON.stringify(first)}`)
  await steps.take('1,000 questions of the proxy, one after another', () => timeAsks(port), String)
  await steps.take('second HTTPS request', () => visit(CUSTOM, `/${link['code']}`), show)
  await steps.take(
    'HTTPS for an unknown host',
    () => refused(() => visit('stranger.example.net', '/')),
    String,
  )
  const seconds = steps.total((total) => (total < LIMIT_S ? 'under ten minutes' : 'OVER TEN MINUTES'))
  if (seconds >= LIMIT_S) throw new Error('It took more than ten minutes')
}

/** The request that Caddy sends before it gets a certificate, for known and unknown hosts. */
async function timeAsks(port: number): Promise<string> {
  const took: number[] = []
  const status = async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    // Read completely, like Caddy does, so that the connection is reused.
    await response.text()
    return response.status
  }
  for (let asked = 0; asked < WARM_UP; asked++) await status('/livez')
  for (let asked = 0; asked < ASKS; asked++) {
    const host = asked % 2 === 0 ? CUSTOM : `stranger-${asked}.example.net`
    const from = performance.now()
    const answer = await status(`/.well-known/waymark/ask?domain=${host}`)
    took.push(performance.now() - from)
    if (answer !== (host === CUSTOM ? 200 : 404)) throw new Error(`${host} is ${answer}`)
  }
  const [median = 0, late = 0] = [0.5, 0.99].map((share) => took.toSorted((a, b) => a - b)[ASKS * share])
  if (median >= MAX_ASK_MS) throw new Error(`The median question took ${median.toFixed(1)} ms`)
  return `median ${median.toFixed(2)} ms, 99 of 100 within ${late.toFixed(2)} ms`
}

/** No certificate: the handshake fails. */
async function refused(visit: () => Promise<unknown>): Promise<string> {
  try {
    await visit()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (/alert internal error|ALERT_INTERNAL_ERROR/i.test(`${code} ${message}`)) return 'no certificate'
    throw error
  }
  throw new Error('A host that is not verified got a certificate')
}

let failure: unknown
try {
  await check()
} catch (error) {
  failure = error
}
steps.print()
if (failure !== undefined) {
  console.error('\nFAILED:', failure)
  console.error(lastOutputs())
}
await endAll()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
process.exit(failure === undefined ? 0 : 1)
