import '../../work/request-worker.ts'
import type { Database as Sqlite } from 'better-sqlite3'
import { offerWork } from '../../work/thread-work.ts'
import { connectReader } from './sqlite-connection.ts'

const CACHE_MB = 8

let reader: Sqlite | undefined

export const readerWork = {
  /** The rows of one statement. */
  read(file: string, sql: string, parameters: readonly unknown[]): unknown[] {
    reader ??= connectReader(file, CACHE_MB)
    return reader.prepare(sql).all(parameters)
  },
}

offerWork(readerWork)
