import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/*
 * What `npm ci` runs at its end: builds the dashboard. Vite is a development dependency, so an installation without
 * those is complete as it is, and the dashboard's address says how to build it.
 */

/** @param {string} path */
const file = (path) => fileURLToPath(new URL(path, import.meta.url))

if (existsSync(file('../node_modules/.bin/vite'))) {
  const { status } = spawnSync(process.execPath, [file('launch.mjs'), 'vite', 'build', 'packages/web'], {
    cwd: file('..'),
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}
console.log('The dashboard is not built, because development dependencies are not installed')
