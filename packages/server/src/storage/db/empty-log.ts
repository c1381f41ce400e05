import type { Database as Sqlite } from 'better-sqlite3'
import { isBusy } from './unavailable.ts'

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
