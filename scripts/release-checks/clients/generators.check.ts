import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { png } from '../../../e2e/support/pictures.ts'
import { startWaymark } from '../../../e2e/support/waymark.ts'
import { FORM, orvalConfig, PROGRAMS } from './programs.ts'

/*
 * Clients that openapi-typescript, @hey-api/openapi-ts and orval generate from the OpenAPI description of a running server
 * compile strictly, and work with only an access token. The tools are installed only for this check. Those of
 * openapi-python-client and oapi-codegen are generated and compiled where Python and Go, and their packages, are at hand; the
 * last lines say so.
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

/** Clients in languages whose tools a machine may lack: commands that install the tool, and that generate and compile. */
const OTHERS = {
  'openapi-python-client': {
    install: ['python3 -m venv python', 'python/bin/pip install --quiet openapi-python-client==0.26.2'],
    generate: [
      'python/bin/openapi-python-client generate --path openapi.json --output-path python-client --fail-on-warning',
      'python/bin/python -m compileall -q python-client',
    ],
  },
  'oapi-codegen': {
    install: [
      'GOBIN="$PWD/go-bin" go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.5.0',
    ],
    generate: [
      'mkdir go-client && cd go-client && go mod init client',
      'go-bin/oapi-codegen -package client -generate types,client -o go-client/client.go openapi.json',
      'cd go-client && go mod tidy && go vet ./...',
    ],
  },
} as const

const sh = (command: string): void => {
  console.log(`$ ${command}`)
  execFileSync('sh', ['-ec', command], { cwd: folder, stdio: 'inherit' })
}

/** Returns what happened, for the last lines. */
function compileOther(name: keyof typeof OTHERS): string {
  const { install, generate } = OTHERS[name]
  try {
    install.forEach(sh)
  } catch {
    return `${name}: not tried, because it could not be installed`
  }
  generate.forEach(sh)
  return `${name}: generated and compiled`
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
  const names = Object.keys(OTHERS) as (keyof typeof OTHERS)[]
  for (const outcome of names.map(compileOther)) console.log(outcome)
} finally {
  await waymark.stop()
  await rm(folder, { recursive: true, force: true })
}
