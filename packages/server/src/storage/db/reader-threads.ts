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
import { LRUCache } from 'lru-cache'
import { currentRequester, Gate } from '../../net/admission/gate.ts'
import { bufferOf, Threads } from '../../work/threads.ts'
import type { Tables } from './tables.ts'
import type * as work from './reader.worker.ts'

/** Connections to SQLite in other threads, which read for everyone but visitors. */
export interface ReaderThreads {
  readonly sql: Kysely<Tables>
  close(): Promise<void>
}

const IDLE_MS = 30_000
const LIMIT_MS = 60_000
/** A statement that takes less may use the thread that is reserved for such statements. */
const QUICK_MS = 5
/** Statements of accounts whose duration is remembered. */
const REMEMBERED = 5_000
const QUEUE = 2_000

/**
 * SQLite statements are synchronous: in the serving thread, everyone would wait for the long ones. Here they take turns
 * between the accounts, one statement at a time. `threads` includes one that only runs statements that were quick the last time.
 */
export function openReaderThreads(file: string, plugins: KyselyPlugin[], threads: number): ReaderThreads {
  const pool = new Threads<typeof work>(new URL('./reader.worker.ts', import.meta.url), {
    threads,
    idleMs: IDLE_MS,
    limitMs: LIMIT_MS,
  })
  const gate = new Gate({
    capacity: threads,
    share: threads - 1,
    reserved: 1,
    queue: QUEUE,
    waitMs: LIMIT_MS,
  })
  const durations = new LRUCache<string, number>({ max: REMEMBERED })
  const rows = async <Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> => {
    // Work that was started beside a request reads on after its client has left.
    const requester = { ...currentRequester(), isGone: undefined }
    const name = `${requester.account ?? ''} ${sql}`
    const isQuick = (durations.get(name) ?? Infinity) < QUICK_MS
    const { found, ms } = await gate.run(requester, () => pool.run('read', [file, sql, parameters]), {
      isQuick,
    })
    durations.set(name, ms)
    return withBuffers(found as Row[])
  }
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => ({
      rows: await rows(sql, parameters),
    }),
    streamQuery: () => {
      throw new Error('Statements of the reader threads are not streamed')
    },
  }
  const inTransaction = (): Promise<never> => Promise.reject(new Error('The reader threads only read'))
  const dialect: Dialect = {
    createAdapter: () => new ManyConnections(),
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
  return { sql: new Kysely<Tables>({ dialect, plugins }), close: () => pool.close() }
}

/** Kysely would run the statements of SQLite one after another, in the order of their arrival. */
class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Converts the plain byte arrays that arrive from a thread back to buffers. */
function withBuffers<Row>(rows: Row[]): Row[] {
  for (const row of rows as Record<string, unknown>[])
    for (const name in row) {
      const value = row[name]
      if (value instanceof Uint8Array) row[name] = bufferOf(value)
    }
  return rows
}
