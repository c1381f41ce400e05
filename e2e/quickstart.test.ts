import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needProgram, needPython } from '../scripts/services/programs.ts'
import { get } from './support/requests.ts'
import { png } from './support/pictures.ts'
import { startWaymark, type Account, type Waymark } from './support/waymark.ts'

/* docs/quickstart.md, followed from top to bottom by a stranger: every block with a name is run as it stands. */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))

let waymark: Waymark
let account: Account
let folder: string
let blocks: ReadonlyMap<string, string>

beforeAll(async () => {
  for (const program of ['curl', 'openssl']) await needProgram([program], program)
  const page = await readFile(join(root, 'docs/quickstart.md'), 'utf8')
  const found = page.matchAll(/^```\w+ (?<name>\w+)\n(?<code>[\s\S]*?)^```$/gm)
  blocks = new Map([...found].map(({ groups }) => [groups?.['name'] ?? '', groups?.['code'] ?? '']))
  folder = await mkdtemp(join(tmpdir(), 'waymark-quickstart-'))
  await writeFile(join(folder, 'logo.png'), png(200))
  waymark = await startWaymark()
})
afterAll(async () => {
  await waymark?.stop()
  await rm(folder, { recursive: true, force: true })
})

const env = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  BASE_URL: waymark.url,
  API_KEY: account.apiKey,
  SECRET: account.secret,
})

/** How many codes there are of an address. */
const codesOf = async (url: string): Promise<number> => {
  const { body } = await get(waymark, account, `/v1/qrcode?search=${encodeURIComponent(url)}`)
  for (const code of body.data) expect([code.warnings, code.logo === null]).toEqual([[], false])
  return body.data.length
}

/** Runs the commands of a block against the server; what the last one printed. */
const commands = async (block: string): Promise<string> => {
  let printed = ''
  for (const line of blocks.get(block)?.trim().split('\n') ?? []) {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    expect(words.slice(0, 2)).toEqual(['npx', 'waymark'])
    const { code, stdout, stderr } = await waymark.cli(...words.slice(2))
    expect([code, stderr]).toEqual([0, ''])
    printed = stdout
  }
  return printed
}

const bash = (block: string, env: Record<string, string>) =>
  run('bash', ['-euo', 'pipefail', '-c', blocks.get(block) ?? ''], { cwd: folder, env })

test('makes an account and a token, and a link with the token', async () => {
  const [TOKEN = ''] = /^wmt_\S+$/m.exec(await commands('account')) ?? []
  const { stdout } = await bash('token', { PATH: process.env['PATH'] ?? '', BASE_URL: waymark.url, TOKEN })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: { link: 'https://example.com/token' } })
})

test('makes a key', async () => {
  const { api_key: apiKey, secret, email } = JSON.parse(await commands('key')) as Record<string, string>
  account = { email: email ?? '', password: '', apiKey: apiKey ?? '', secret: secret ?? '' }
})

test('creates a QR code with curl', async () => {
  const { stdout } = await bash('curl', env())
  expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: { warnings: [] } })
  expect(await codesOf('https://example.com/curl')).toBe(1)
})

test('creates a QR code with TypeScript', async () => {
  const project = join(folder, 'project')
  await mkdir(project)
  const packed = join(folder, 'sdk')
  await run(process.execPath, [join(root, 'packages/sdk/build/build.ts'), packed], { cwd: root })
  const { stdout } = await run('npm', ['pack', packed, '--pack-destination', folder, '--json'], {
    cwd: folder,
  })
  const [{ filename = '' } = {}] = JSON.parse(stdout) as { filename?: string }[]
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['install', '--no-audit', join(folder, filename)], { cwd: project })
  await writeFile(join(project, 'code.ts'), blocks.get('typescript') ?? '')
  await writeFile(join(project, 'logo.png'), png(200))
  const { stdout: url } = await run(process.execPath, ['code.ts'], { cwd: project, env: env() })
  expect((await fetch(url.trim())).headers.get('content-type')).toBe('image/png')
  expect(await codesOf('https://example.com/typescript')).toBe(1)
})

test('creates a QR code with Python', async () => {
  const python = await needPython()
  const { stdout: wheel } = await run(python, [join(root, 'clients/python/build_wheel.py'), folder])
  await run(python, ['-m', 'venv', join(folder, 'env')])
  const own = join(folder, 'env/bin/python')
  await run(own, ['-m', 'pip', 'install', '--no-index', '--disable-pip-version-check', wheel.trim()])
  const { stdout: url } = await run(own, ['-c', blocks.get('python') ?? ''], { cwd: folder, env: env() })
  expect((await fetch(url.trim())).headers.get('content-type')).toBe('image/png')
  expect(await codesOf('https://example.com/python')).toBe(1)
})
