import SqliteDatabase from 'better-sqlite3'
import type { Database as Sqlite } from 'better-sqlite3'
import { fold } from './dialect.ts'

/** Only a recovery or a closing checkpoint of another process can make a reader wait in WAL mode. */
const READER_BUSY_MS = 2_000

/** Opens the database file with the settings that every connection of ours has. */
export function connect(file: string, cacheMb: number): Sqlite {
  const db = new SqliteDatabase(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = wal')
    db.pragma('synchronous = full')
    db.pragma('foreign_keys = on')
    db.pragma('mmap_size = 0')
    db.pragma(`cache_size = ${-1024 * cacheMb}`)
    db.pragma(`journal_size_limit = ${64 * 1024 * 1024}`)
    // What is deleted is overwritten, so that no free page keeps it.
    db.pragma('secure_delete = on')
    // Sorting must not leave files outside the data folder.
    db.pragma('temp_store = memory')
    db.function('fold', { deterministic: true }, (text: unknown) =>
      typeof text === 'string' ? fold(text) : null,
    )
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** A connection that only reads. */
export function connectReader(file: string, cacheMb: number): Sqlite {
  const db = connect(file, cacheMb)
  db.pragma('query_only = 1')
  db.pragma(`busy_timeout = ${READER_BUSY_MS}`)
  return db
}
