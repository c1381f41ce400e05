import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../', import.meta.url))

/** Packages whose sources are in the build of the server. */
const BUNDLED = ['cli', 'codes', 'contract', 'page', 'sdk', 'server']

/**
 * Whether the server of this clone is built, and no source or dashboard is newer than the build.
 * @returns {boolean}
 */
export function isBuilt() {
  // The build writes it last.
  const builtAt = changedAt(join(packages, 'server/build/package.json'))
  if (builtAt === undefined) return false
  const isOlder = (/** @type {string} */ path) => (changedAt(path) ?? 0) <= builtAt
  return (
    isOlder(join(packages, 'web/dist/index.html')) &&
    BUNDLED.every((name) => isOlder(join(packages, name, 'package.json')) && isFolderOlder(name, isOlder))
  )
}

/**
 * The time of a folder is that of the last file that was added to it or removed from it.
 * @param {string} name
 * @param {(path: string) => boolean} isOlder
 */
function isFolderOlder(name, isOlder) {
  const folder = join(packages, name, 'src')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.every((file) => file.endsWith('.test.ts') || isOlder(join(folder, file)))
}

/** @param {string} path */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}
