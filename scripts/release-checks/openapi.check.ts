import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeOperations } from '../../packages/server/src/api/openapi.ts'

/*
 * The OpenAPI document as other people's tools see it: two linters with their recommended rules find nothing, not even a
 * warning, and a client that is generated from it compiles. The tools are installed for this alone.
 */

const TOOLS = [
  '@redocly/cli@2',
  '@stoplight/spectral-cli@6',
  'openapi-typescript@7',
  'openapi-fetch@0.14',
  'typescript@5.9',
]
const PROGRAM = `import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

const client = createClient<paths>({ baseUrl: 'https://waymark.test' })
const listed = await client.GET('/v1/links', { params: { query: { limit: 10, tag: 'a' } } })
const total: number | undefined = listed.data?.meta.total
const made = await client.POST('/v1/generate-link', { body: { link: 'https://example.com/' } })
const url: string | undefined = made.data?.data.short_url
const failed: string | undefined = made.error?.error
console.log(total, url, failed)
`
const COMPILER = [
  '--strict',
  '--noEmit',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--target',
  'es2022',
  'program.ts',
]

const folder = await mkdtemp(join(tmpdir(), 'waymark-openapi-'))
const run = (program: string, words: readonly string[]): void => {
  console.log(`$ ${program} ${words.join(' ')}`)
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  execFileSync(join(folder, 'node_modules/.bin', program), words, { cwd: folder, stdio: 'inherit', env })
}
try {
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--ignore-scripts', ...TOOLS], {
    cwd: folder,
    stdio: 'inherit',
  })
  await writeFile(
    join(folder, 'openapi.json'),
    JSON.stringify(describeOperations('https://waymark.test'), null, 2),
  )
  await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  run('redocly', ['lint', 'openapi.json', '--max-problems', '20'])
  const summary = execFileSync(
    join(folder, 'node_modules/.bin/redocly'),
    ['lint', 'openapi.json', '--format', 'json'],
    { cwd: folder, encoding: 'utf8' },
  )
  const { totals } = JSON.parse(summary.slice(summary.indexOf('{'))) as {
    totals: { errors: number; warnings: number }
  }
  if (totals.errors + totals.warnings > 0) throw new Error(`redocly: ${JSON.stringify(totals)}`)
  run('spectral', ['lint', '--fail-severity', 'hint', 'openapi.json'])
  run('openapi-typescript', ['openapi.json', '--output', 'schema.d.ts'])
  run('tsc', COMPILER)
} finally {
  await rm(folder, { recursive: true, force: true })
}
