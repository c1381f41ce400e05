import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OwnerLock, tryLock } from '../clicks/spool/spool-folder.ts'
import type { Config } from '../config.ts'
import { OperatorError } from '../net/errors.ts'
import { halfIn } from './half.ts'

/** Runs the service, or the half of it that this process was started for, until it is told to stop. */
export async function serve(config: Config): Promise<void> {
  const half = halfIn(process.argv)
  if (half?.kind === 'api') {
    const { serveApi } = await import('./serve-api.ts')
    return serveApi(config, half)
  }
  if (half?.kind === 'visitors') {
    const [{ serveVisitors }, { parentChannel }] = await Promise.all([
      import('./serve-visitors.ts'),
      import('../net/bus/channel.ts'),
    ])
    return serveVisitors(config, half, parentChannel(), { reusePort: true })
  }
  const sockets =
    config.databaseUrl === undefined ? lockDataFolder(config.dataDir) : socketFolder(config.dataDir)
  process.once('exit', () => rmSync(sockets, { recursive: true, force: true }))
  const { supervise } = await import('./supervisor.ts')
  return supervise(config, sockets)
}

/** Describes the owner of the lock. Other processes cannot read the lock file itself. */
const HOLDER = 'server.json'

interface Holder {
  readonly pid?: unknown
  readonly since?: unknown
  readonly sockets?: unknown
}

let held: OwnerLock | undefined

/**
 * Prevents a second server on a data folder with an SQLite database, because each would serve stale cached links. The
 * operating system releases the lock when the process ends in any way. The command line does not need it. Returns the folder
 * of the private sockets.
 */
export function lockDataFolder(dataDir: string): string {
  const path = join(dataDir, HOLDER)
  held = tryLock(dataDir, 'server')
  const { pid, since, sockets } = readHolder(path)
  if (held === undefined)
    throw new OperatorError(
      `another Waymark runs on ${dataDir}: process ${String(pid)}, since ${String(since)}. Stop it, or set DATA_DIR to another folder`,
    )
  // Of a server that was killed.
  if (typeof sockets === 'string' && PREFIX.test(sockets)) rmSync(sockets, { recursive: true, force: true })
  const own: Holder = { pid: process.pid, since: new Date().toISOString(), sockets: socketFolder(dataDir) }
  writeFileSync(path, JSON.stringify(own), { mode: 0o600 })
  return String(own.sockets)
}

function readHolder(path: string): Holder {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return {}
  }
}

const PREFIX = /[/\\]waymark-sockets-\w+$/
/** The path of a socket has at most 104 bytes on macOS, and 108 on Linux. */
const MAX_FOLDER_BYTES = 80

/** A folder that only this user can read, outside of the data folder, which may be on a file system without sockets. */
function socketFolder(dataDir: string): string {
  for (const folder of [tmpdir(), '/tmp', dataDir]) {
    const prefix = join(folder, 'waymark-sockets-')
    if (Buffer.byteLength(prefix) > MAX_FOLDER_BYTES) continue
    try {
      return mkdtempSync(prefix)
    } catch {
      // It cannot be written: the next one.
    }
  }
  throw new OperatorError('no folder for the private socket: TMPDIR or DATA_DIR must be short and writable')
}
