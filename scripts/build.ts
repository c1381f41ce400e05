import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDocs } from '../packages/server/src/api/docs/pages.ts'

/*
 * Runs at the end of `npm ci`, and with `npm run build`: builds the dashboard, and the server as in a release, which starts
 * faster than its sources. Vite and Rolldown are development dependencies. An installation without them runs the sources,
 * and `/app` says how to build the dashboard; the docs need neither.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = join(root, 'packages/server/build')
const isInstalled = (name: string): boolean => existsSync(join(root, 'node_modules', name))

if (isInstalled('vite') && isInstalled('rolldown')) {
  execFileSync('vite', ['build', 'packages/web'], { cwd: root, stdio: 'inherit' })
  const { buildServerPackage } = await import('./release/server-package.ts')
  await buildServerPackage(root, folder)
} else {
  rmSync(folder, { recursive: true, force: true })
  buildDocs(join(folder, 'docs-site'), join(root, 'packages/web/dist'))
  console.log('The dashboard is not built, because development dependencies are not installed')
}
