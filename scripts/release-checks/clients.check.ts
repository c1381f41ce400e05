import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { png } from '../../e2e/support/pictures.ts'
import { startWaymark } from '../../e2e/support/waymark.ts'
import { FORM, orvalConfig, PROGRAMS } from './clients/programs.ts'

/*
 * Clients that openapi-typescript, @hey-api/openapi-ts and orval generate from the OpenAPI description of a running server
 * compile strictly, and work with only an access token. The tools are installed only for this check.
 */

const TOOLS = [
  'openapi-typescript@7',
  'openapi-fetch@0.14',
  '@hey-api/openapi-ts@0.95',
  'orval@7',
  'esbuild@0.25',
  'typescript@5.9',
  '@types/node@22',
]
const COMPILER =
  '--strict --noEmit --skipLibCheck --module preserve --moduleResolution bundler --target es2022 --lib es2022,dom,dom.iterable'

const folder = await mkdtemp(join(tmpdir(), 'waymark-clients-'))
const run = (program: string, ...words: readonly string[]): void => {
  console.log(`$ ${program} ${words.join(' ')}`)
  execFileSync(join(folder, 'node_modules/.bin', program), words, { cwd: folder, stdio: 'inherit' })
}

const waymark = await startWaymark()
try {
  // First, because the programs below block this process for longer than the server's keep-alive timeout.
  const document = await (await fetch(`${waymark.url}/openapi.json`)).text()
  const { email } = await waymark.account()
  const { stdout } = await waymark.cli('token', 'create', '--email', email, '--json')
  const { token } = JSON.parse(stdout) as { token: string }
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--ignore-scripts', ...TOOLS], {
    cwd: folder,
    stdio: 'inherit',
  })
  await writeFile(join(folder, 'openapi.json'), document)
  await writeFile(join(folder, 'form.ts'), FORM)
  await writeFile(join(folder, 'orval.config.ts'), orvalConfig(waymark.url))
  for (const [name, program] of Object.entries(PROGRAMS)) await writeFile(join(folder, `${name}.ts`), program)
  run('openapi-typescript', 'openapi.json', '--output', 'schema.d.ts')
  run('openapi-ts', '-i', 'openapi.json', '-o', 'hey', '-c', '@hey-api/client-fetch')
  run('orval', '--config', 'orval.config.ts')
  const files = Object.keys(PROGRAMS).map((name) => `${name}.ts`)
  run('tsc', ...COMPILER.split(' '), ...files)
  for (const file of files) {
    const built = file.replace('.ts', '.mjs')
    run('esbuild', file, '--bundle', '--platform=node', '--format=esm', `--outfile=${built}`)
    console.log(`── ${file}`)
    execFileSync(process.execPath, [built], {
      cwd: folder,
      stdio: 'inherit',
      env: {
        ...process.env,
        BASE_URL: waymark.url,
        TOKEN: token,
        PICTURE: png(200, 90, 70, 64).toString('base64'),
      },
    })
  }
} finally {
  await waymark.stop()
  await rm(folder, { recursive: true, force: true })
}
