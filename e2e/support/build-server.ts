import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildServerPackage } from '../../scripts/release/server-package.ts'

/*
 * The tests run the server package as it is released. It starts in half the processor time of the sources, and the tests
 * start servers and commands hundreds of times. e2e/npm-start.test.ts starts what this clone would start.
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
let folder: string | undefined

/** Builds the package for this test run, unless one to test has been named. */
export async function setup(): Promise<void> {
  if (process.env['WAYMARK_LAUNCHER'] !== undefined) return
  folder = await mkdtemp(join(tmpdir(), 'waymark-e2e-package-'))
  const built = join(folder, 'server')
  await buildServerPackage(root, built)
  // What the package does not bundle.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  // Test files run in processes that inherit the environment.
  process.env['WAYMARK_LAUNCHER'] = join(built, 'bin/waymark.mjs')
}

export async function teardown(): Promise<void> {
  if (folder === undefined) return
  delete process.env['WAYMARK_LAUNCHER']
  await rm(folder, { recursive: true, force: true })
}
