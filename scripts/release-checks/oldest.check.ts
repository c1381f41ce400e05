import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { needProgram } from '../services/programs.ts'

/*
 * The oldest PostgreSQL of docs/requirements.md, that of Debian 12: the tests of storage, clicks and links that `npm test` runs on
 * a newer one. The oldest Redis is that of the same Debian, and `npm test` uses it there.
 */

const VERSION = '15'
const FOLDERS = [
  'packages/server/src/storage',
  'packages/server/src/clicks/counting',
  'packages/server/src/accounts',
]
const FILES = ['links', 'clicks.slow', 'pages', 'doctor', 'trash'].map((name) => `e2e/${name}.test.ts`)

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Debian keeps the programs of each version in a folder of their own; apt-get is in the other one. */
const folders = [`/usr/lib/postgresql/${VERSION}/bin`, '/usr/bin']
const machine = { folders, mayInstall: process.getuid?.() === 0 }
const program = await needProgram(['postgres'], `postgresql-${VERSION}`, machine)

const env = { ...process.env, POSTGRES_BIN: dirname(program) }
const results = [
  ['--project', 'unit*', ...FOLDERS],
  ['--project', 'e2e*', ...FILES],
].map((words) => spawnSync('vitest', ['run', ...words], { cwd: root, stdio: 'inherit', env }).status)
process.exit(results.every((status) => status === 0) ? 0 : 1)
