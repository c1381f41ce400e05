import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/*
 * What `npm ci` runs at its end: builds the dashboard. Vite is a development dependency, so an installation without those
 * is complete as it is, and `/app` says how to build it.
 */

/** @param {string} path */
const file = (path) => fileURLToPath(new URL(path, import.meta.url))

/** @param {string[]} words */
const launch = (...words) => {
  const options = /** @type {const} */ ({ cwd: file('..'), stdio: 'inherit' })
  const { status } = spawnSync(process.execPath, [file('launch.mjs'), ...words], options)
  if (status !== 0) process.exit(status ?? 1)
}

if (existsSync(file('../node_modules/.bin/vite'))) launch('vite', 'build', 'packages/web')
else console.log('The dashboard is not built, because development dependencies are not installed')
