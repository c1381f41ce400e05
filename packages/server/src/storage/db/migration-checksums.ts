import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect as KyselyDialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { Dialect } from './dialect.ts'
import type { Migration } from './migrations.ts'

const known = new WeakMap<Migration['up'], Map<string, Promise<string>>>()

/**
 * Identifies what a migration does to a database: the hash of its statements. Unlike a hash of its file it is the same
 * before and after a build, and comments do not change it.
 */
export function checksumOf({ up }: Migration, { engine }: Dialect): Promise<string> {
  const sums = known.get(up) ?? new Map<string, Promise<string>>()
  known.set(up, sums)
  const sum = sums.get(engine) ?? record(up, engine)
  sums.set(engine, sum)
  return sum
}

async function record(up: Migration['up'], engine: Dialect['engine']): Promise<string> {
  const statements: string[] = []
  const db = new Kysely<unknown>({ dialect: recordingDialect(engine, statements) })
  await up(db, new Dialect(engine))
  return createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 32)
}

const recordingDialect = (engine: Dialect['engine'], statements: string[]): KyselyDialect => {
  const isSqlite = engine === 'sqlite'
  return {
    createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
    createDriver: () => recordingDriver(statements),
    createIntrospector: (db) => (isSqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
    createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
  }
}

/** Takes every statement and does nothing, as a database without any row would. */
const recordingDriver = (statements: string[]): Driver => {
  const connection: DatabaseConnection = {
    executeQuery: (query: CompiledQuery) => {
      statements.push(query.sql)
      return Promise.resolve({ rows: [] })
    },
    streamQuery: () => {
      throw new Error('A migration reads no stream')
    },
  }
  const nothing = (): Promise<void> => Promise.resolve()
  return {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  }
}
