import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildSdk } from '../packages/sdk/build/build.ts'
import { loadMigrations } from '../packages/server/src/storage/db/migrator.ts'
import { writeChecksums } from './release/checksums.ts'
import { packImageContext } from './release/image-context.ts'
import { packFolder } from './release/pack.ts'
import { buildServerPackage } from './release/server-package.ts'
import { writeSbom } from './release/sbom.ts'

/*
 * Builds a release from a clean tree: `npm run release`. The result is in release/: the server and the SDK as npm packages, the
 * Python client as a wheel (this needs python3), the context of the image, a software bill of materials (SBOM)
 * and checksums.
 *
 *   --into FOLDER    another folder, which is emptied first
 *   --uncommitted    a trial with uncommitted changes
 *   --server FILE    only the package of the server, committed or not, as this file: what the Dockerfile needs
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const { values } = parseArgs({
  options: {
    into: { type: 'string', default: join(root, 'release') },
    uncommitted: { type: 'boolean' },
    server: { type: 'string' },
  },
})
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** Builds the package of the server in a folder and packs it into another, with its SBOM; returns its path. */
async function packServer(build: string, into: string): Promise<string> {
  execFileSync('vite', ['build', 'packages/web', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' })
  const bundled = await buildServerPackage(root, build)
  writeSbom(build, bundled, join(into, `waymark-${version}.cdx.json`))
  return packFolder(build, into)
}

if (values.server !== undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-release-'))
  try {
    const file = await packServer(join(folder, 'server'), folder)
    mkdirSync(dirname(values.server), { recursive: true })
    cpSync(file, values.server)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  process.exit(0)
}

if (values.uncommitted !== true) {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  if (changes !== '') {
    console.error('A release is made of what is committed. Commit these first, or remove them:')
    console.error(changes.trimEnd())
    process.exit(1)
  }
}

const isFrozen = (await loadMigrations()).at(-1)?.release !== undefined
if (values.uncommitted !== true && !isFrozen) {
  console.error(
    `The schema of ${version} is not frozen: no later version upgrades data of these files. To release them,`,
  )
  console.error(`first run npm run -s node scripts/freeze-schema.ts ${version}`)
}
const into = values.into
const build = join(into, 'build')
rmSync(into, { recursive: true, force: true })
mkdirSync(build, { recursive: true })

const serverFile = await packServer(join(build, 'server'), into)
const sdk = join(build, 'sdk')
await buildSdk(sdk)
packFolder(sdk, into)
execFileSync('python3', [join(root, 'clients/python/build_wheel.py'), into], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
packImageContext(root, serverFile, join(into, `waymark-image-${version}.tar.gz`))
rmSync(build, { recursive: true })
for (const line of writeChecksums(into)) console.log(line)
