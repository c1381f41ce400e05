import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needProgram } from '../scripts/services/programs.ts'
import { png } from './support/pictures.ts'
import { startWaymark, type Account, type Waymark } from './support/waymark.ts'

/* The signing recipes of the documentation, run as they are: a GET, a JSON body and a multipart upload each. */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))

let waymark: Waymark
let account: Account
let folder: string
beforeAll(async () => {
  for (const program of ['curl', 'openssl', 'python3']) await needProgram([program], program)
  waymark = await startWaymark()
  account = await waymark.account()
  folder = await mkdtemp(join(tmpdir(), 'waymark-recipes-'))
  await writeFile(join(folder, 'picture.png'), png(200))
})
afterAll(async () => {
  await waymark.stop()
  await rm(folder, { recursive: true, force: true })
})

test.each([
  ['sign.sh', 'bash'],
  ['sign.py', 'python3'],
  ['sign.mjs', process.execPath],
])('%s signs what the server accepts, and is what the documentation shows', async (name, program) => {
  const recipe = join(root, 'clients/recipes', name)
  const { PATH = '' } = process.env
  const env = { PATH, BASE_URL: waymark.url, API_KEY: account.apiKey, SECRET: account.secret }
  const { stdout } = await run(program, [recipe], { cwd: folder, env })
  for (const found of [/free/, /utm_source=newsletter/, /It points the way/]) expect(stdout).toMatch(found)
  expect(stdout.match(/['"]?status['"]?: ?['"]success['"]/g)).toHaveLength(3)
  expect(await readFile(join(root, 'docs/signing.md'), 'utf8')).toContain(await readFile(recipe, 'utf8'))
})
