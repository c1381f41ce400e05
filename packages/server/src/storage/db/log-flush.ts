import { open } from 'node:fs/promises'

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
export async function openLogFlush(database: string): Promise<LogFlush> {
  const file = await open(`${database}-wal`, 'r+')
  return { flush: () => file.datasync(), close: () => file.close() }
}
