import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'

const FILE_NAME = /^([0-9a-f-]{36})-(\d{8})\.spool$/
const LOCK_NAME = /^([0-9a-f-]{36})\.lock$/

export interface SpoolFile {
  readonly name: string
  /** The process that writes it, or wrote it while it lived. */
  readonly owner: string
  readonly sequence: number
}

export function spoolFileName(owner: string, sequence: number): string {
  return `${owner}-${String(sequence).padStart(8, '0')}.spool`
}

/** Every spool file in the folder, each owner's in the order written. */
export function listSpoolFiles(folder: string): SpoolFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const [, owner, sequence] = FILE_NAME.exec(name) ?? []
      return owner === undefined ? [] : [{ name, owner, sequence: Number(sequence) }]
    })
}

/** Owners that left a lock behind, whether they have files or not. */
export function listLocks(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => LOCK_NAME.exec(name)?.[1] ?? [])
}

export interface OwnerLock {
  /** Lets go and removes the lock file. */
  release(): void
}

/**
 * Held by a process for as long as it lives, and by one adopter after it died. The lock is the operating
 * system's, taken through SQLite, so it ends with its holder however that one ends; a process id would be
 * mistaken for its successor's, above all in containers, where every life has the same one.
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

/** Never opens a file that is there: closing it again would drop a lock this process holds on it. */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
