import type { Database as Sqlite, Statement } from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { connectReader } from './sqlite-connection.ts'

const CACHE_MB = 8

let reader: Sqlite | undefined
/** Preparing a statement costs more than running most of them. */
const prepared = new LRUCache<string, Statement>({ max: 200 })

/** The rows of one statement, and how long it took. */
export function read([file, sql, parameters]: [string, string, readonly unknown[]]): {
  found: unknown[]
  ms: number
} {
  const startedAt = performance.now()
  let statement = prepared.get(sql)
  if (statement === undefined) {
    reader ??= connectReader(file, CACHE_MB)
    statement = reader.prepare(sql)
    prepared.set(sql, statement)
  }
  const found = statement.all(parameters)
  return { found, ms: performance.now() - startedAt }
}
