import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { png } from '../../e2e/support/pictures.ts'
import { startWaymark } from '../../e2e/support/waymark.ts'
import { needProgram } from '../services/programs.ts'

/* The signing recipes in languages that `npm test` does not ask for, run as they are against a server. */

const RECIPES = [
  { file: 'sign.php', program: 'php', packages: 'php-cli php-curl', words: [] },
  { file: 'sign.go', program: 'go', packages: 'golang-go', words: ['run'] },
]
const EXPECTED = [/free/, /utm_source=newsletter/, /It points the way/]

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'waymark-recipes-'))
const waymark = await startWaymark()
try {
  const { apiKey, secret } = await waymark.account()
  await writeFile(join(folder, 'picture.png'), png(200))
  const shown = await readFile(join(root, 'docs/signing.md'), 'utf8')
  for (const { file, program, packages, words } of RECIPES) {
    const path = await needProgram([program], packages)
    const recipe = join(root, 'clients/recipes', file)
    const env = {
      ...process.env,
      BASE_URL: waymark.url,
      API_KEY: apiKey,
      SECRET: secret,
      GOCACHE: join(folder, 'go'),
    }
    const printed = execFileSync(path, [...words, recipe], { cwd: folder, env, encoding: 'utf8' })
    const missing = EXPECTED.filter((pattern) => !pattern.test(printed.replaceAll('\\/', '/')))
    if (missing.length > 0) throw new Error(`${file} printed no ${missing.join(', ')}: ${printed}`)
    if (!shown.includes(await readFile(recipe, 'utf8')))
      throw new Error(`docs/signing.md does not show ${file}`)
    console.log(`${file}: accepted three times`)
  }
} finally {
  await waymark.stop()
  await rm(folder, { recursive: true, force: true })
}
