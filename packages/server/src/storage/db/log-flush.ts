import { close, fdatasync, openSync } from 'node:fs'

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
