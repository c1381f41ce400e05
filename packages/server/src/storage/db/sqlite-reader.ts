import { join } from 'node:path'
import type { Database as Sqlite, Statement } from 'better-sqlite3'
import {
  type CompiledQuery,
  Kysely,
  type QueryResult,
  sql,
  type SqliteDatabase as KyselySqlite,
  SqliteDialect,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { dataFolder } from '../data-folder.ts'
import type { Reads } from './database.ts'
import { WriteGuard } from './scopes.ts'
import { connectReader } from './sqlite-connection.ts'
import type { Tables } from './tables.ts'

/** Opens the embedded database to look things up. Its schema must have been migrated. */
export function openSqliteReader(dataDir: string): Reads & { close(): Promise<void> } {
  const reader = connectReader(join(dataDir, dataFolder.database), 8)
  const read = cachingStatements(reader)
  const handle = readingHandle(read)
  return {
    engine: 'sqlite',
    sql: handle,
    run: async (statement, parameters) => runHere(read.cached(statement), parameters),
    async ping() {
      await sql`select count(*) from schema_migrations`.execute(handle)
    },
    async close() {
      reader.close()
    },
    sqliteReader: reader,
    postgres: undefined,
  }
}

export const readingHandle = (database: KyselySqlite): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new SqliteDialect({ database }), plugins: [new WriteGuard()] })

export function runHere<Row>(statement: Statement, parameters: readonly unknown[]): QueryResult<Row> {
  if (statement.reader) return { rows: statement.all(parameters) as Row[] }
  return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
}

interface Preparing extends KyselySqlite {
  /** For statements that are prepared once. */
  cached(query: CompiledQuery): Statement
}

/** Preparing a statement costs more than running most of them. */
export function cachingStatements(db: Sqlite): Preparing {
  const cached = new LRUCache<string, Statement>({ max: 300 })
  const forEver = new WeakMap<CompiledQuery, Statement>()
  return {
    cached(query) {
      const found = forEver.get(query)
      if (found !== undefined) return found
      const statement = db.prepare(query.sql)
      forEver.set(query, statement)
      return statement
    },
    prepare(text) {
      const found = cached.get(text)
      if (found !== undefined && !found.busy) return found
      const statement = db.prepare(text)
      cached.set(text, statement)
      return statement
    },
    close: () => void db.close(),
  }
}
