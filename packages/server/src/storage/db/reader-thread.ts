import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type KyselyPlugin,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { bufferOf, Threads } from '../../work/threads.ts'
import type { Tables } from './tables.ts'
import type * as work from './reader.worker.ts'

/** A connection to SQLite in another thread, for statements that read every row of a large account. */
export interface ReaderThread {
  readonly sql: Kysely<Tables>
  /** The rows of one statement. */
  rows<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

const IDLE_MS = 30_000
const LIMIT_MS = 60_000

/** SQLite statements are synchronous: in the main thread, visitors would wait for them. */
export function openReaderThread(file: string, plugins: KyselyPlugin[]): ReaderThread {
  const thread = new Threads<typeof work>(new URL('./reader.worker.ts', import.meta.url), {
    idleMs: IDLE_MS,
    limitMs: LIMIT_MS,
  })
  const rows = async <Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> =>
    withBuffers((await thread.run('read', [file, sql, parameters])) as Row[])
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => ({
      rows: await rows(sql, parameters),
    }),
    streamQuery: () => {
      throw new Error('Statements of the reader thread are not streamed')
    },
  }
  const inTransaction = (): Promise<never> => Promise.reject(new Error('The reader thread only reads'))
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      init: () => Promise.resolve(),
      acquireConnection: () => Promise.resolve(connection),
      beginTransaction: inTransaction,
      commitTransaction: inTransaction,
      rollbackTransaction: inTransaction,
      releaseConnection: () => Promise.resolve(),
      destroy: () => Promise.resolve(),
    }),
  }
  return { sql: new Kysely<Tables>({ dialect, plugins }), rows, close: () => thread.close() }
}

/** Converts the plain byte arrays that arrive from the thread back to buffers. */
function withBuffers<Row>(rows: Row[]): Row[] {
  for (const row of rows as Record<string, unknown>[])
    for (const name in row) {
      const value = row[name]
      if (value instanceof Uint8Array) row[name] = bufferOf(value)
    }
  return rows
}
