import { existsSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Database as Sqlite } from 'better-sqlite3'
import { dataFolder } from '../../storage/data-folder.ts'
import { emptyLog } from '../../storage/db/write-ahead-log.ts'

/** Other connections lock the file for one transaction at a time. */
const LOCK_WAIT_MS = 100

/** Empties the log of the used signatures, in a thread that no visitor waits for. */
export class SignatureLog {
  readonly #file: string
  #db: Sqlite | undefined

  constructor(dataDir: string) {
    this.#file = join(dataDir, dataFolder.usedSignatures)
  }

  empty(): void {
    if (this.#db === undefined && !existsSync(this.#file)) return
    this.#db ??= new SqliteDatabase(this.#file, { timeout: LOCK_WAIT_MS, fileMustExist: true })
    // The file has no readers, and signed requests wait for it without blocking the event loop.
    emptyLog(this.#db, { mayHoldWrites: true })
  }

  close(): void {
    this.#db?.close()
    this.#db = undefined
  }
}
