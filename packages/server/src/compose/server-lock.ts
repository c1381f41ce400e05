import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OwnerLock, tryLock } from '../clicks/spool/spool-folder.ts'
import { OperatorError } from '../net/errors.ts'

/** Who has the lock. The lock itself cannot be read by others. */
const HOLDER = 'server.json'

interface Holder {
  readonly pid?: unknown
  readonly since?: unknown
}

let held: OwnerLock | undefined

/**
 * Keeps a second server off a data folder with an SQLite database: each would serve links that the other has changed. The
 * operating system drops the lock with the process, however it ends. Its workers and the command line do not need it.
 */
export async function lockDataFolder(dataDir: string): Promise<void> {
  const holder = join(dataDir, HOLDER)
  held = tryLock(dataDir, 'server')
  if (held === undefined) {
    const { pid, since } = await readFile(holder, 'utf8').then(
      (text) => JSON.parse(text) as Holder,
      (): Holder => ({}),
    )
    throw new OperatorError(
      `another Waymark runs on ${dataDir}: process ${String(pid)}, since ${String(since)}. Stop it, or set DATA_DIR to another folder`,
    )
  }
  const own: Holder = { pid: process.pid, since: new Date().toISOString() }
  await writeFile(holder, JSON.stringify(own), { mode: 0o600 })
}
