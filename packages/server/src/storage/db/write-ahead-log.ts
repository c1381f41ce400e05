import { close, fdatasync, openSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { isBusy } from './unavailable.ts'

/** Brings SQLite's write-ahead log to the disk. */
export interface LogFlush {
  /** Resolves when all that is in the log by now is on the disk. */
  flush(): Promise<void>
  /** Not while a flush is under way. */
  close(): Promise<void>
}

/**
 * In a thread of the pool: the one that serves goes on meanwhile, however long the disk takes. For a database that is in
 * use: its log is there, and stays the same file until the last connection is closed.
 */
export function openLogFlush(database: string): LogFlush {
  const file = openSync(`${database}-wal`, 'r+')
  const settled = (begin: (done: (error: Error | null | undefined) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())))
  return {
    flush: () => settled((done) => fdatasync(file, done)),
    close: () => settled((done) => close(file, done)),
  }
}

/** A log shorter than this many pages of 4 KB is left as it is. */
export const SHORT_LOG_PAGES = 200

interface Checkpoint {
  readonly busy: number
  /** Pages of the log, and how many of them are in the database. */
  readonly log: number
  readonly checkpointed: number
}

/**
 * Brings the log of SQLite to the database itself, beside other connections that read and write, and starts it again from
 * its beginning. Both flush the disk, so this is for a thread that no visitor waits for. Once all of a log is in the
 * database, the next write starts it again, and as a rule that is one of the serving thread. So a short log stays, and after
 * a long one this thread writes first.
 */
export function emptyLog(db: Sqlite, { mayHoldWrites = false } = {}): void {
  if (checkpoint(db, 'noop').log < SHORT_LOG_PAGES) return
  let { log, checkpointed } = checkpoint(db, 'passive')
  // Writes that go on meanwhile keep it from getting to the end.
  if (mayHoldWrites && checkpointed < log) ({ log, checkpointed } = checkpoint(db, 'full'))
  if (checkpointed < log) return
  try {
    db.pragma('user_version = 0')
  } catch (error) {
    // Another connection writes, and so starts the log again.
    if (!isBusy(error)) throw error
  }
}

function checkpoint(db: Sqlite, mode: 'noop' | 'passive' | 'full'): Checkpoint {
  const [found] = db.pragma(`wal_checkpoint(${mode})`) as Checkpoint[]
  return found ?? { busy: 1, log: 0, checkpointed: 0 }
}
