import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { png } from '../../e2e/support/pictures.ts'
import { startWaymark } from '../../e2e/support/waymark.ts'
import { CLIENT_PROGRAM } from './openapi/client-program.ts'

/*
 * The OpenAPI document of a running server in other tools: two linters with their recommended rules find nothing, not even a
 * warning, and a client generated from it compiles and makes one call of each kind. The tools are installed only for this
 * check.
 */

const TOOLS = [
  '@redocly/cli@2',
  '@stoplight/spectral-cli@6',
  'openapi-typescript@7',
  'openapi-fetch@0.14',
  'typescript@5.9',
  '@types/node@22',
]
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
const bin = (program: string): string => join(folder, 'node_modules/.bin', program)
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const run = (program: string, words: readonly string[]): void => {
  console.log(`$ ${program} ${words.join(' ')}`)
  execFileSync(bin(program), words, { cwd: folder, stdio: 'inherit', env })
}

/** Redocly exits 0 with warnings, so its summary is read as well. */
const lintWithRedocly = (): void => {
  run('redocly', ['lint', 'openapi.json', '--max-problems', '20'])
  const summary = execFileSync(bin('redocly'), ['lint', 'openapi.json', '--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
    env,
  })
  const { totals } = JSON.parse(summary.slice(summary.indexOf('{'))) as {
    totals: { errors: number; warnings: number }
  }
  console.log(`redocly: ${JSON.stringify(totals)}`)
  if (totals.errors + totals.warnings > 0) throw new Error('redocly found something')
}

const waymark = await startWaymark()
try {
  // First, because the programs below block this process for longer than the server's keep-alive timeout.
  const document = await (await fetch(`${waymark.url}/openapi.json`)).text()
  const { apiKey, secret } = await waymark.account()
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--ignore-scripts', ...TOOLS], {
    cwd: folder,
    stdio: 'inherit',
  })
  // Linters warn about a server at localhost, which is only used in this test.
  await writeFile(join(folder, 'openapi.json'), document.replaceAll(waymark.url, 'https://waymark.test'))
  await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
  await writeFile(join(folder, 'program.ts'), CLIENT_PROGRAM)
  lintWithRedocly()
  run('spectral', ['lint', '--fail-severity', 'hint', 'openapi.json'])
  run('openapi-typescript', ['openapi.json', '--output', 'schema.d.ts'])
  run('tsc', COMPILER)
  execFileSync(process.execPath, ['program.ts'], {
    cwd: folder,
    stdio: 'inherit',
    env: {
      ...process.env,
      BASE_URL: waymark.url,
      API_KEY: apiKey,
      SECRET: secret,
      PICTURE: png(200, 90, 70, 64).toString('base64'),
    },
  })
} finally {
  await waymark.stop()
  await rm(folder, { recursive: true, force: true })
}
