import { close, fdatasync, openSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { isBusy } from './unavailable.ts'

/** Flushes SQLite's write-ahead log to disk. */
export interface LogFlush {
  /** Resolves when everything in the log so far is on disk. */
  flush(): Promise<void>
  /** Must not be called during a flush. */
  close(): Promise<void>
}

/**
 * Flushes in a thread of the pool, so that the main thread is not blocked. Only for a database that is in use: its log exists
 * and stays the same file until the last connection is closed.
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

/** A log with fewer pages of 4 KB than this is left unchanged. */
export const SHORT_LOG_PAGES = 200

interface Checkpoint {
  readonly busy: number
  /** Pages of the log, and how many of them are checkpointed. */
  readonly log: number
  readonly checkpointed: number
}

/**
 * Checkpoints SQLite's log while other connections read and write, and restarts it. Both flush the disk, so this runs in a
 * thread that no visitor waits for. When a whole log is checkpointed, the next write restarts it, and that is usually a write
 * of the serving thread. So a short log is left unchanged, and after a long one this thread writes first.
 */
export function emptyLog(db: Sqlite, { mayHoldWrites = false } = {}): void {
  if (checkpoint(db, 'noop').log < SHORT_LOG_PAGES) return
  let { log, checkpointed } = checkpoint(db, 'passive')
  // Concurrent writes may keep the checkpoint from reaching the end.
  if (mayHoldWrites && checkpointed < log) ({ log, checkpointed } = checkpoint(db, 'full'))
  if (checkpointed < log) return
  try {
    db.pragma('user_version = 0')
  } catch (error) {
    // Another connection is writing, and so restarts the log.
    if (!isBusy(error)) throw error
  }
}

function checkpoint(db: Sqlite, mode: 'noop' | 'passive' | 'full'): Checkpoint {
  const [found] = db.pragma(`wal_checkpoint(${mode})`) as Checkpoint[]
  return found ?? { busy: 1, log: 0, checkpointed: 0 }
}
