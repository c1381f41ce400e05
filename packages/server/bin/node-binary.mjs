import { spawnSync } from 'node:child_process'
import * as crypto from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/*
 * Which Node runs Waymark. npm installs one as an optional dependency (see `optionalDependencies` in the package.json
 * of the repository), and npm itself may run on an older one. npm 11 links the installed Node into node_modules/.bin;
 * npm 10 does not, so it is looked up in its package.
 */

/** The oldest Node that runs the server where npm installed none: `engines` of the release package. */
const OLDEST = { major: 24, minor: 14 }
const OLDEST_NAME = `Node ${OLDEST.major}.${OLDEST.minor}`

/** The program that the kernel needs to start the installed Node. Alpine and NixOS do not have it. */
const LOADERS = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' }

/** Where Linux systems keep libatomic, a library that Node 26 needs. Some have none: a Debian without a compiler. */
const LIBRARY_FOLDERS = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib']

const { platform, arch } = process
const target = `${platform === 'win32' ? 'win' : platform}-${arch}`
const require = createRequire(import.meta.url)

/**
 * The Node that npm installed for this machine, if there is one that can be started.
 * @returns {string | undefined} The path of its program
 */
export function installedNode() {
  const loader = platform === 'linux' ? LOADERS[/** @type {keyof typeof LOADERS} */ (arch)] : undefined
  if (loader !== undefined && !existsSync(loader)) return undefined
  for (const name of [`node-${target}`, `node-bin-${target}`]) {
    try {
      const manifest = require.resolve(`${name}/package.json`)
      const program = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node)
      if (existsSync(program)) return program
    } catch {
      // This package is not installed; the next one may be.
    }
  }
  return undefined
}

/**
 * The Node to run Waymark with; exits with one line that says what to install where there is none.
 * @returns {string} The path of its program
 */
export function nodeBinary() {
  const installed = installedNode()
  if (installed !== undefined && canStart(installed)) return installed
  if (isNewEnough()) return process.execPath
  if (installed !== undefined) {
    console.error(
      `waymark: the Node that npm installed cannot be started here: install libatomic1 (apt-get install libatomic1), or run this with ${OLDEST_NAME} or newer`,
    )
    return process.exit(1)
  }
  // The release package brings no Node of its own.
  const isClone = !existsSync(new URL('../dist', import.meta.url))
  const orElse = isClone ? ', or run npm ci without --omit=optional' : ''
  console.error(
    `waymark: ${OLDEST_NAME} or newer is required and this is ${process.version}: install it from https://nodejs.org${orElse}`,
  )
  return process.exit(1)
}

/**
 * Whether a Node finds the libraries it needs. It is only tried where libatomic is not in its usual place.
 * @param {string} program
 */
const canStart = (program) =>
  platform !== 'linux' ||
  LIBRARY_FOLDERS.some((folder) => existsSync(join(folder, 'libatomic.so.1'))) ||
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** Early releases of Node 25 lack `randomUUIDv7`, too. */
const isNewEnough = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)
  return !isOld && 'randomUUIDv7' in crypto
}
