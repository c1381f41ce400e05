import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyContext, makeBasePath, runCommands } from '../scripts/release/docker-build.ts'
import { startWaymark, type Waymark } from './support/waymark.ts'

/*
 * What `docker build .` makes of this clone, without Docker: the files that .dockerignore leaves, the commands of the
 * first stage, and no program beside Node and npm that the base image lacks. `npm ci` is left out, because it takes a
 * minute: `npm run test:release -- image` runs it, and builds the image.
 */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))

let folder: string
let waymark: Waymark | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-image-'))
})
afterAll(async () => {
  await waymark?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the build stage makes a package that serves the dashboard and every guide', async () => {
  const clone = join(folder, 'clone')
  copyContext(root, clone)
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'))
  const [command = ''] = runCommands(await readFile(join(root, 'Dockerfile'), 'utf8')).get('package') ?? []
  const [install, ...build] = command.split(' && ')
  expect(install).toBe('npm ci')

  const env = { ...process.env, PATH: makeBasePath(join(folder, 'bin')) }
  const release = join(folder, 'release')
  await run('sh', ['-c', build.join(' && ').replaceAll('/release', release)], { cwd: clone, env })

  // Unpacked beside the packages of this clone, in place of an installation.
  const installed = join(folder, 'installed')
  mkdirSync(installed)
  await run('tar', ['-xzf', join(release, 'waymark.tgz'), '-C', installed])
  await symlink(join(root, 'node_modules'), join(installed, 'node_modules'))
  waymark = await startWaymark(
    {},
    { node: process.execPath, launcher: join(installed, 'package/bin/waymark.mjs') },
  )
  for (const path of ['/docs', '/docs/installing', '/docs/signing.md', '/app/', '/openapi.json'])
    expect([path, (await fetch(waymark.url + path)).status]).toEqual([path, 200])
})
