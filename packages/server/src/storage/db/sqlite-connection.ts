import { setTimeout as delay } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import type { Database as Sqlite } from 'better-sqlite3'
import { nextTurn } from '../../work/turns.ts'
import { fold } from './dialect.ts'
import { isBusy } from './unavailable.ts'

/** In WAL mode, readers wait only for a recovery or a closing checkpoint of another process. */
const READER_BUSY_MS = 2_000
/** Most transactions of another process end within this many turns of the event loop. */
const QUICK_TRIES = 20

/** Opens the database file with the settings that all our connections share. */
export function connect(file: string, cacheMb: number): Sqlite {
  const db = new SqliteDatabase(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = wal')
    db.pragma('synchronous = full')
    db.pragma('foreign_keys = on')
    db.pragma('mmap_size = 0')
    db.pragma(`cache_size = ${-1024 * cacheMb}`)
    db.pragma(`journal_size_limit = ${64 * 1024 * 1024}`)
    // Overwrite deleted data, so that it is not left in free pages.
    db.pragma('secure_delete = on')
    // Sorting must not create files outside of the data folder.
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

/** A read-only connection. */
export function connectReader(file: string, cacheMb: number): Sqlite {
  const db = connect(file, cacheMb)
  db.pragma('query_only = 1')
  db.pragma(`busy_timeout = ${READER_BUSY_MS}`)
  return db
}

/** Retries without blocking the event loop while another process holds the lock. */
export async function retryWhileBusy<T>(step: () => T | Promise<T>, limitMs: number): Promise<T> {
  const giveUpAt = performance.now() + limitMs
  for (let tries = 0; ; tries++) {
    try {
      return await step()
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error
      await (tries < QUICK_TRIES ? nextTurn() : delay(Math.random() * 5))
    }
  }
}
