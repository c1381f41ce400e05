import type { Database as Sqlite } from 'better-sqlite3'
import { connectReader } from './sqlite-connection.ts'

const CACHE_MB = 8

let reader: Sqlite | undefined

/** The rows of one statement. */
export function read([file, sql, parameters]: [string, string, readonly unknown[]]): unknown[] {
  reader ??= connectReader(file, CACHE_MB)
  return reader.prepare(sql).all(parameters)
}
