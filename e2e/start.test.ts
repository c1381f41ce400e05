import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get } from './support/requests.ts'
import { call, newEmail, Visitor } from './support/visitors.ts'
import { freePort, launcher, runCli, startInVain, startWaymark, type Waymark } from './support/waymark.ts'

const run = promisify(execFile)
const folders: string[] = []
const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-start-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

describe('a wrong setting stops the start with one line that names it', () => {
  it.each([
    ['PORT', { PORT: 'abc' }],
    ['PORT', { PORT: '70000' }],
    ['BASE_URL', { BASE_URL: 'ftp://example.com' }],
    ['BASE_URL', { BASE_URL: 'https://example.com/path' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://localhost/x' }],
    ['SECRET_KEY', { DATABASE_URL: 'postgres://localhost/x' }],
    ['REDIS_URL', { REDIS_URL: 'localhost:6379' }],
    ['WORKERS', { WORKERS: '0' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['RATE_LIMIT_READ', { RATE_LIMIT_READ: '-1' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'maybe' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'example.com' }],
    ['SIGNUP', { SIGNUP: 'perhaps' }],
    ['SMTP_URL', { SMTP_URL: 'mail.example.com' }],
    ['PLANS_FILE', { PLANS_FILE: '/nowhere/plans.json' }],
    ['CLICK_RETENTION_DAYS', { CLICK_RETENTION_DAYS: 'forever' }],
    ['SECRET_KEY_FILE', { SECRET_KEY_FILE: '/nowhere/secret' }],
    // A file, and two places where not even root can write: a new folder and one that exists.
    ['DATA_DIR', { DATA_DIR: '/dev/null/data' }],
    ['DATA_DIR', { DATA_DIR: '/proc/nowhere/data' }],
    ['DATA_DIR', { DATA_DIR: '/sys' }],
  ])('%s', async (name, settings) => {
    const { output, code } = await startInVain({ DATA_DIR: await newFolder(), ...settings })
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(output).toContain(name)
  })

  it.each(['does not respond', 'is not there'])('names DATABASE_URL when its server %s', async (fault) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    if (fault === 'is not there') server.close()
    const { output, code } = await startInVain({
      DATA_DIR: await newFolder(),
      DATABASE_URL: `postgres://waymark:hunter2@127.0.0.1:${port}/waymark`,
      DATABASE_CONNECT_TIMEOUT_MS: '500',
      SECRET_KEY: 'a secret of a good length',
    })
    server.close()
    expect([code, output.trim().split('\n').length]).toEqual([1, 1])
    expect(output).toContain('DATABASE_URL')
    expect(output).not.toContain('hunter2')
  })

  it.each(['not a database', ''.padEnd(8_192, 'SQLite format 3\0')])(
    'says so when the database is damaged',
    async (content) => {
      const DATA_DIR = await newFolder()
      await writeFile(join(DATA_DIR, 'waymark.db'), content)
      const { output, code } = await startInVain({ DATA_DIR })
      expect([code, output.trim().split('\n').length]).toEqual([1, 1])
      expect(output).toMatch(/^waymark: the database in DATA_DIR is damaged .*waymark restore FILE$/m)
      const command = await runCli({ DATA_DIR }, 'user', 'list', '--json')
      expect(JSON.parse(command.stderr)).toEqual({ error: expect.stringContaining('is damaged') })
    },
  )

  it('says so when the port is taken', async () => {
    const waymark = await startWaymark()
    const { output, code } = await startInVain({ DATA_DIR: await newFolder(), PORT: String(waymark.port) })
    await waymark.stop()
    expect([code, output.trim().split('\n').length]).toEqual([1, 1])
    expect(output).toContain(String(waymark.port))
  })

  it('says so when the data is of a newer version', async () => {
    const waymark = await startWaymark()
    await waymark.end()
    const db = new Sqlite(join(waymark.dataDir, 'waymark.db'))
    db.prepare('insert into schema_migrations (name, applied_at) values (?, ?)').run('9999_future', 1)
    db.close()
    const { output, code } = await startInVain({ DATA_DIR: waymark.dataDir })
    await rm(waymark.dataDir, { recursive: true })
    expect([code, output.trim().split('\n').length]).toEqual([1, 1])
    expect(output).toContain('newer')
  })

  it('says so when the data was made by a version that was never released', async () => {
    const waymark = await startWaymark()
    await waymark.end()
    const db = new Sqlite(join(waymark.dataDir, 'waymark.db'))
    // As commits before checksums left it.
    db.exec('alter table schema_migrations drop column checksum')
    db.close()
    const { output, code } = await startInVain({ DATA_DIR: waymark.dataDir })
    await rm(waymark.dataDir, { recursive: true })
    expect([code, output.trim().split('\n').length]).toEqual([1, 1])
    expect(output).toContain('belongs to no release of Waymark')
  })
})

describe('the first start', () => {
  it('makes everything, for its owner alone, and says where to go', async () => {
    const dataDir = join(await newFolder(), 'deep', 'data')
    const waymark = await startWaymark({ DATA_DIR: dataDir })
    expect(waymark.output()).toContain(waymark.url)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    for (const file of ['waymark.db', 'secret.key'])
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600)
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    for (const entry of entries.filter((item) => item.isFile() && !item.parentPath.includes('cache')))
      expect([entry.name, (await stat(join(entry.parentPath, entry.name))).mode & 0o077]).toEqual([
        entry.name,
        0,
      ])
    await waymark.stop()
  })

  const outside = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .find(({ internal, address }) => !internal && !address.startsWith('fe80'))?.address
  it.runIf(outside !== undefined).each([
    ['warns that sign-up is open on an address that others can reach', {}, true],
    ['warns with several processes, too', { WORKERS: '2' }, true],
    ['does not warn when sign-up is closed', { SIGNUP: 'closed' }, false],
    ['does not warn when no password signs up', { PASSWORD_SIGN_IN: 'off' }, false],
    ['does not warn when only this machine can reach it', { HOST: '127.0.0.1' }, false],
    ['does not warn for the name of this machine alone', { HOST: 'localhost' }, false],
  ])('%s', async (_name, settings, isWarned) => {
    const waymark = await startWaymark(settings)
    try {
      await expect.poll(() => waymark.output()).toContain('Waymark is at')
      if (isWarned)
        await expect
          .poll(() => waymark.output())
          .toMatch(/^Sign-up is open: everyone who can reach \S+ can .* SIGNUP=closed closes it\.$/m)
      else expect(waymark.output()).not.toContain('Sign-up is open')
    } finally {
      await waymark.stop()
    }
  })

  it('may happen beside commands on the same data', async () => {
    const settings = { DATA_DIR: await newFolder() }
    const [waymark, ...commands] = await Promise.all([
      startWaymark(settings),
      runCli(settings, 'migrate'),
      runCli(settings, 'user', 'list'),
    ])
    expect(commands.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect((await get(waymark, await waymark.account(), '/v1/current-plan')).status).toBe(200)
    await waymark.stop()
  })

  it('takes settings from files', async () => {
    const file = join(await newFolder(), 'signup')
    await writeFile(file, 'closed\n')
    const waymark = await startWaymark({ SIGNUP_FILE: file })
    const answer = await fetch(`${waymark.url}/v1/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@b.example', password: 'Correct-horse-1' }),
    })
    await waymark.stop()
    expect(answer.status).toBe(403)
  })
})

// Together, because a client that never ends its headers is waited for until the server has had enough of it.
describe.concurrent('a running server', () => {
  let waymark: Waymark
  beforeAll(async () => {
    waymark = await startWaymark({ METRICS_TOKEN: 'metrics-secret' })
  })
  afterAll(() => waymark.stop())

  it('lives, is ready, and shows its metrics to whoever has the token', async () => {
    expect((await fetch(`${waymark.url}/livez`)).status).toBe(200)
    expect((await fetch(`${waymark.url}/readyz`)).status).toBe(200)
    expect((await fetch(`${waymark.url}/metrics`)).status).toBe(404)
    const metrics = await fetch(`${waymark.url}/metrics`, {
      headers: { authorization: 'Bearer metrics-secret' },
    })
    const text = await metrics.text()
    expect(text).toContain('waymark_operations_total')
    // Expensive work, by kind.
    for (const figure of ['running', 'waiting', 'refused_total'])
      expect(text).toContain(`waymark_admission_${figure}{kind="signIn"} 0\n`)
  })

  it('describes itself in OpenAPI and on pages that ask no other host', async () => {
    const description = (await (await fetch(`${waymark.url}/openapi.json`)).json()) as Record<string, unknown>
    expect(description).toMatchObject({
      openapi: '3.0.3',
      info: { version: '2.0.0' },
      servers: [{ url: waymark.url }],
    })
    const { Validator } = await import('@seriousme/openapi-schema-validator')
    const validation = await new Validator().validate(description)
    expect(validation.errors).toBeUndefined()
    expect(validation.valid).toBe(true)
    const page = await fetch(`${waymark.url}/docs`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; (?!.*(?:unsafe|https?:|\*))/,
    )
    expect(await page.text()).toContain('/v1/generate-qr')
    const markdown = await fetch(`${waymark.url}/docs/signing.md`)
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await markdown.text()).toMatch(/^# Signing requests/)
    expect(await (await fetch(`${waymark.url}/llms.txt`)).text()).toContain('/docs/reference/generate-qr.md')
    expect((await fetch(`${waymark.url}/docs/nothing`)).status).toBe(404)
  })

  it('keeps links in memory when a key is revoked', async () => {
    const figure = async (): Promise<string | undefined> => {
      const headers = { authorization: 'Bearer metrics-secret' }
      const text = await (await fetch(`${waymark.url}/metrics`, { headers })).text()
      return /^waymark_target_lookups_total (\d+)$/m.exec(text)?.[1]
    }
    const visitor = new Visitor(waymark)
    await visitor.signUp(newEmail())
    const { uuid } = (await visitor.post('/v1/generate-key')).body.data as { uuid: string }
    const link = await visitor.post('/v1/generate-link', { link: 'https://example.com/kept' })
    const visit = () => call(waymark, 'GET', `/${link.body.data.code as string}`)
    expect((await visit()).status).toBe(302)
    const before = await figure()
    expect((await visitor.post('/v1/remove-key', { uuid })).status).toBe(200)
    expect((await visit()).status).toBe(302)
    expect(await figure()).toBe(before)
    expect(before).toBeDefined()
  })

  it('cuts off a client that never ends its headers', async () => {
    const socket = connect(waymark.port, 'localhost')
    socket.write('GET /v1/healthcheck HTTP/1.1\r\nHost: localhost\r\n')
    const closed = new Promise<string>((resolve) => {
      let received = ''
      socket.on('data', (chunk) => (received += chunk.toString()))
      socket.on('close', () => resolve(received))
      socket.on('error', () => {})
    })
    const trickle = setInterval(() => socket.write('X-More: x\r\n'), 1000)
    const received = await closed
    clearInterval(trickle)
    expect(received).toMatch(/^(HTTP\/1\.1 408|$)/)
  })

  it.each([
    [
      'conflicting lengths',
      'POST /v1/generate-link HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['100 KB of headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['no HTTP at all', 'hello there\r\n\r\n'],
  ])('refuses %s without a fault', async (_name, bytes) => {
    const socket = connect(waymark.port, 'localhost')
    socket.write(bytes)
    const received = await new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString()))
      socket.on('close', () => resolve(text))
      socket.on('error', () => resolve(text))
      setTimeout(() => socket.destroy(), 3000)
    })
    expect(received).not.toMatch(/HTTP\/1\.1 5\d\d/)
    expect((await fetch(`${waymark.url}/livez`)).status).toBe(200)
  })

  it('prints one JSON value for every command with --json', async () => {
    const commands = [
      ['--version'],
      ['migrate'],
      ['user', 'create', '--email', 'cli@example.com', '--password', 'Correct-horse-1', '--first-name', 'C'],
      ['user', 'list'],
      ['user', 'confirm', '--email', 'cli@example.com'],
      ['user', 'reset-link', '--email', 'cli@example.com'],
      ['key', 'create', '--email', 'cli@example.com', '--name', 'ci'],
      ['key', 'list'],
      ['plan', 'set', '--email', 'cli@example.com', '--plan', 'free'],
      ['domain', 'add', 'go.example.com', '--email', 'cli@example.com'],
      ['domain', 'list'],
      ['domain', 'remove', 'go.example.com'],
      ['user', 'remove', '--email', 'cli@example.com'],
    ]
    for (const command of commands) {
      const { stdout, stderr, code } = await waymark.cli(...command, '--json')
      expect([command.join(' '), code, stderr]).toEqual([command.join(' '), 0, ''])
      expect(stdout.trim().split('\n')).toHaveLength(1)
      const value = JSON.parse(stdout) as Record<string, unknown>
      expect(Array.isArray(value)).toBe(command.includes('list'))
      if (command.join(' ').startsWith('key create')) {
        expect(Object.keys(value).toSorted()).toEqual(['api_key', 'email', 'name', 'secret'])
        expect(value).toMatchObject({
          api_key: expect.stringMatching(/^wm_/),
          secret: expect.stringMatching(/^wms_/),
          name: 'ci',
        })
      }
    }
    const wrong = await waymark.cli('key', 'create', '--email', 'nobody@example.com', '--json')
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(JSON.parse(wrong.stderr)).toEqual({ error: 'There is no account nobody@example.com' })
    for (const kind of ['key', 'token']) {
      const words = [kind, 'create', '--email', 'nobody@example.com', '--name', 'a'.repeat(101), '--json']
      const long = await waymark.cli(...words)
      expect([long.code, long.stdout]).toEqual([1, ''])
      expect(JSON.parse(long.stderr)).toEqual({ error: 'name: Must be at most 100 characters' })
    }
    const misused = await waymark.cli('key', 'create', '--json')
    expect([misused.code, misused.stdout]).toEqual([2, ''])
    expect(JSON.parse(misused.stderr)).toEqual({ error: expect.stringContaining('--email') })
    const unasked = await waymark.cli('user', 'create', '--email', 'new@example.com')
    expect([unasked.code, unasked.stdout]).toEqual([2, ''])
    expect(unasked.stderr).toMatch(/^waymark: give --password/)
    expect((await waymark.cli('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each(['24.13.1', '22.99.0'])('says in the release package that Node %s is too old', async (version) => {
    // As installed, where no other package is: npm brought no Node.
    const installed = join(await newFolder(), 'waymark')
    await mkdir(join(installed, 'dist'), { recursive: true })
    await cp(join(dirname(launcher), '../bin'), join(installed, 'bin'), { recursive: true })
    const pretend = `for (const [name, value] of [['version', 'v${version}'], ['versions', { ...process.versions, node: '${version}' }]])
      Object.defineProperty(process, name, { value })`
    const words = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`]
    const failed = run(process.execPath, [...words, join(installed, 'bin/waymark.mjs'), 'serve'])
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: `waymark: Node 24.14 or newer is required and this is v${version}: install it from https://nodejs.org\n`,
    })
  })

  it('starts its command with an old Node as well', async () => {
    const { stdout } = await run('npx', ['waymark', '--help'], { env: { ...process.env, ...waymark.env } })
    expect(stdout).toContain('Usage: waymark')
  })

  it('ends on SIGTERM with exit code 0', async () => {
    const other = await startWaymark({ PORT: String(await freePort()) })
    const startedAt = Date.now()
    expect(await other.end('SIGTERM')).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(10_000)
    await other.stop()
  })
})
