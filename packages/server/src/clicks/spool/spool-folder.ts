import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'

const FILE_NAME = /^([0-9a-f-]{36})-(\d{8})\.spool$/
const LOCK_NAME = /^([0-9a-f-]{36})\.lock$/

export interface SpoolFile {
  readonly name: string
  /** The process that writes it, or has written it. */
  readonly owner: string
  readonly sequence: number
}

export function spoolFileName(owner: string, sequence: number): string {
  return `${owner}-${String(sequence).padStart(8, '0')}.spool`
}

/** All spool files in the folder, each owner's in the order they were written. */
export function listSpoolFiles(folder: string): SpoolFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const [, owner, sequence] = FILE_NAME.exec(name) ?? []
      return owner === undefined ? [] : [{ name, owner, sequence: Number(sequence) }]
    })
}

/** Owners with a lock file, with or without spool files. */
export function listLocks(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => LOCK_NAME.exec(name)?.[1] ?? [])
}

export interface OwnerLock {
  /** Releases the lock and removes its file. */
  release(): void
}

/**
 * Held by a process as long as it lives, and by one adopter after its death. It is a lock of the operating system, taken
 * through SQLite, so it ends with its process in any case. A process id would be mistaken for a later process with the same
 * id, which is common in containers.
 */
export function tryLock(folder: string, owner: string): OwnerLock | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${owner}.lock`)
  makePrivateFile(path)
  const handle = new BetterSqlite(path, { timeout: 0 })
  try {
    handle.pragma('journal_mode = off')
    handle.exec('begin exclusive')
  } catch (error) {
    handle.close()
    if (error instanceof BetterSqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
  return {
    release() {
      rmSync(path, { force: true })
      handle.close()
    },
  }
}

/** Never opens an existing file: closing it would release a lock that this process has on it. */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
