import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needProgram, needPython } from '../scripts/services/programs.ts'
import { png } from './support/pictures.ts'
import { post } from './support/requests.ts'
import { samplesAt } from './support/samples.ts'
import { startWaymark, type Account, type Waymark } from './support/waymark.ts'

/*
 * Samples of the reference, taken from the pages and run as they are: one of each kind of request. Those in PHP and Go
 * run in `npm run test:release -- recipes`.
 */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))

/** Without a body, JSON, JSON without a signature, forms with files, a list, a CSV file. */
const PAGES = [
  'current-plan',
  'generate-utm',
  'generate-link',
  'generate-qr',
  'generate-page',
  'utm',
  'export-links',
]

let waymark: Waymark
let folder: string
let python3: string

beforeAll(async () => {
  for (const program of ['curl', 'openssl']) await needProgram([program], program)
  python3 = await needPython()
  folder = await mkdtemp(join(tmpdir(), 'waymark-samples-'))
  await writeFile(join(folder, 'logo.png'), png(200, 90, 70, 64))
  waymark = await startWaymark()
})
afterAll(async () => {
  await waymark?.stop()
  await rm(folder, { recursive: true, force: true })
})

const env = ({ apiKey, secret }: Account): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  PYTHONPATH: join(root, 'clients/python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
  BASE_URL: waymark.url,
  API_KEY: apiKey,
  SECRET: secret,
})

const runners: Record<string, (code: string) => Promise<[program: string, words: string[]]>> = {
  curl: (code) => Promise.resolve(['bash', ['-euo', 'pipefail', '-c', code]]),
  Python: (code) => Promise.resolve([python3, ['-W', 'error', '-c', code]]),
  TypeScript: async (code) => {
    const file = join(folder, 'sample.ts')
    const sdk = join(root, 'packages/sdk/src/index.ts')
    await writeFile(file, code.replace("'@waymark/sdk'", `'${sdk}'`))
    return [process.execPath, [file]]
  },
}

test.each(Object.keys(runners))('the samples for %s do what the pages say', async (language) => {
  const account = await waymark.account()
  for (const page of PAGES) {
    const code = (await samplesAt(waymark.url, page)).get(language) ?? ''
    // Short codes and slugs are unique on a server, so each language gets its own.
    const own = code
      .replace(/(customLink"?: ?['"])spring/, `$1spring-${language}`)
      .replaceAll('nordlys', `nordlys-${language.toLowerCase()}`)
    await rm(join(folder, 'links.csv'), { force: true })
    const [program, words] = (await runners[language]?.(own)) ?? ['', []]
    const { stdout } = await run(program, words, { cwd: folder, env: env(account) })
    if (page === 'export-links') expect(await readFile(join(folder, 'links.csv'), 'utf8')).toMatch(/^link,/)
    else expect(stdout, `${language}, ${page}`).toMatch(/success|utm_source/)
  }
})

test('the samples of the live stream print clicks as they happen', async () => {
  const account = await waymark.account()
  const { body } = await post(waymark, account, '/v1/generate-link', { link: 'https://example.com/' })
  const { code, short_url } = body.data as { code: string; short_url: string }
  const samples = await samplesAt(waymark.url, 'live')
  const started = await Promise.all(
    Object.entries(runners).map(async ([language, command]) => {
      const [program, words] = await command(samples.get(language) ?? '')
      // A group of its own, so that the curl that bash runs ends with it. Python would keep its output back.
      const settings = { ...env(account), PYTHONUNBUFFERED: '1' }
      const child = spawn(program, words, { cwd: folder, env: settings, detached: true })
      const seen = { language, child, printed: '' }
      for (const out of [child.stdout, child.stderr])
        out.on('data', (chunk: Buffer) => (seen.printed += chunk.toString()))
      return seen
    }),
  )
  try {
    for (const seen of started)
      await expect
        .poll(
          async () => {
            await fetch(short_url, { redirect: 'manual' })
            return seen.printed
          },
          { timeout: 60_000, message: seen.language },
        )
        .toContain(code)
  } finally {
    for (const { child } of started) {
      const hasEnded = child.exitCode !== null || child.signalCode !== null
      const exit = hasEnded ? undefined : once(child, 'exit')
      if (child.pid !== undefined && !hasEnded) process.kill(-child.pid)
      await exit
    }
  }
})
