import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type Link } from '@waymark/sdk'
import { checkRoundTrip } from './exports/round-trip.ts'
import { endAll, freePort, lastOutputs, start, until } from './https/children.ts'
import { findPrograms } from './https/debian-programs.ts'
import { printTable } from './table.ts'

/*
 * `waymark export --format nginx` and `--format caddy` produce files for real servers: 1,000 links of three domains, including
 * hostile destinations, redirect there exactly as they do here. Links that are left out return 404 there. Then 150,000 links
 * make a round trip as CSV and as JSON; `npm run test:release -- exports -- 300` uses 300 of them.
 */

const LINKS = 1_000
const ROUND_TRIP_LINKS = Number(process.argv[2] ?? 150_000)
const LEFT_OUT = 20
const HOSTS = ['go.example.com', 'links.example.org', 'kurz.example.net']
const STATUSES = [301, 302, 307, 308] as const
const HOSTILE = [
  'https://example.com/?a=$host&b=${uri}#$1',
  'https://example.com/?q={$HOME}{http.request.host}\\',
  "https://example.com/?q='`|^;{}&x=%22%7B",
  'https://example.com/#\\";}return%20200',
  'https://example.com/a;b#c d"{$PATH}',
  'https://xn--bcher-kva.example/%C3%A4?ä=ö',
]

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'waymark-exports-'))
const [port, nginxPort, caddyPort] = [await freePort(), await freePort(), await freePort()] as const
const env = {
  PORT: String(port),
  DATA_DIR: join(folder, 'data'),
  BASE_URL: `http://${HOSTS[0]}`,
  RATE_LIMIT_READ: '1000000',
  RATE_LIMIT_WRITE: '1000000',
}

const waymark = (settings: Record<string, string>, ...words: string[]): Record<string, unknown> =>
  JSON.parse(
    execFileSync(process.execPath, ['packages/server/bin/waymark.mjs', ...words, '--json'], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', ...settings },
      encoding: 'utf8',
    }),
  ) as Record<string, unknown>

interface Response {
  readonly status: number
  readonly location: string
}

/** Requests a path of a host from a server on this machine. */
const ask = (at: number, { domain, code }: Link): Promise<Response> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: at, path: `/${code}`, headers: { host: domain } }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' })
    })
      .on('error', reject)
      .end()
  })

/** These have a meaning in Caddy, so the export percent-encodes them. */
const forCaddy = (location: string): string =>
  location.replaceAll(/["\\{}`]/g, (each) => encodeURIComponent(each))

async function makeLinks(client: ReturnType<typeof createClient>): Promise<Link[]> {
  const plain = Array.from({ length: LINKS }, (_, at) => ({
    link: HOSTILE[at] ?? `https://example.com/${at}?n=${at}&price=$${at}#part-${at}`,
    // Short codes are case-sensitive.
    customLink: at % 2 === 1 ? `Code-${at - 1}` : `code-${at}`,
    domain: HOSTS[Math.floor(at / 2) % HOSTS.length],
    redirect: STATUSES[at % STATUSES.length],
  }))
  const special = Array.from({ length: LEFT_OUT }, (_, at) => ({
    link: 'https://example.com/private',
    ...(at % 2 === 0 ? { password: 'a password' } : { max_clicks: 5 }),
  }))
  const made = await Promise.all([plain, special].map((links) => client.generateLinks({ links })))
  return made.flatMap(({ data }) => data)
}

function startServers(): void {
  const programs = findPrograms(folder, { nginx: 'nginx', caddy: 'caddy' })
  const links = join(folder, 'links.conf')
  // The exported file is for port 80, which only root may use.
  writeFileSync(links, readFileSync(links, 'utf8').replaceAll('listen 80;', `listen ${nginxPort};`))
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log stderr;\nevents {}\nhttp { access_log off; ${places} include ${links}; }\n`,
  )
  start('nginx', [programs['nginx'] ?? '', '-p', folder, '-c', 'nginx.conf'], { cwd: folder })
  const caddyfile = join(folder, 'Caddyfile')
  const options = `{\n\tadmin off\n\thttp_port ${caddyPort}\n}\n`
  writeFileSync(caddyfile, options + readFileSync(caddyfile, 'utf8'))
  const command = [programs['caddy'] ?? '', 'run', '--adapter', 'caddyfile', '--config', caddyfile]
  start('caddy', command, { cwd: folder })
}

async function check(): Promise<void> {
  start('waymark', [process.execPath, 'packages/server/bin/waymark.mjs', 'serve'], { cwd: root, env })
  const baseUrl = `http://127.0.0.1:${port}`
  await until('Waymark', () => fetch(`${baseUrl}/livez`))
  const email = 'owner@example.org'
  waymark(env, 'user', 'create', '--email', email, '--password', 'Correct-horse-1')
  const key = waymark(env, 'key', 'create', '--email', email) as { api_key: string; secret: string }
  for (const host of HOSTS.slice(1)) waymark(env, 'domain', 'add', host, '--email', email)
  const made = await makeLinks(createClient({ baseUrl, apiKey: key.api_key, secret: key.secret }))
  const own = { WAYMARK_URL: baseUrl, WAYMARK_API_KEY: key.api_key, WAYMARK_SECRET: key.secret }
  for (const [format, file] of [
    ['nginx', 'links.conf'],
    ['caddy', 'Caddyfile'],
  ] as const) {
    const { links, skipped } = waymark(own, 'export', '--format', format, '--out', join(folder, file))
    const count = (skipped as unknown[]).length
    if (links !== LINKS || count !== LEFT_OUT)
      throw new Error(`${format}: ${String(links)} links, ${count} skipped`)
  }
  startServers()
  const [first] = made as [Link]
  await until('nginx', () => ask(nginxPort, first))
  await until('Caddy', () => ask(caddyPort, first))
  const counts = { same: 0, absent: 0 }
  for (const link of made) {
    const isPlain = !link.has_password && link.max_clicks === null
    const here = isPlain ? await ask(port, link) : { status: 404, location: '' }
    for (const [name, there, expected] of [
      ['nginx', await ask(nginxPort, link), here.location],
      ['Caddy', await ask(caddyPort, link), forCaddy(here.location)],
    ] as const)
      if (there.status !== here.status || there.location !== expected)
        throw new Error(
          `${name}, ${link.short_url}: ${JSON.stringify(there)} instead of ${JSON.stringify(here)}`,
        )
    counts[isPlain ? 'same' : 'absent']++
  }
  printTable(
    ['links', 'the same redirect from nginx and Caddy', 'left out, 404'],
    [[String(made.length), String(counts.same), String(counts.absent)]],
  )
}

let failure: unknown
try {
  await check()
  await endAll()
  console.log('')
  await checkRoundTrip(ROUND_TRIP_LINKS, folder)
} catch (error) {
  failure = error
  console.error('\nFAILED:', error)
  console.error(lastOutputs())
}
await endAll()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
process.exit(failure === undefined ? 0 : 1)
