import type { Database as Sqlite } from 'better-sqlite3'
import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { ClientConfig, Pool } from 'pg'
import type { Dialect } from './dialect.ts'
import type { Migration } from './migrator.ts'
import type { Tables } from './tables.ts'

/**
 * `background`: a batch of a long job. SQLite runs one write at a time, so a background write waits until no other write is
 * waiting, and has its own transaction. On PostgreSQL all writes run concurrently.
 */
export type WritePriority = 'normal' | 'background'

export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  readonly dialect: Dialect
  /** Inside `write`: the transaction. Outside: read only. Read this property for each statement instead of storing it. */
  readonly sql: Kysely<Tables>
  /** Runs a statement that was compiled once, on the same connection as `sql`. */
  run<Row>(statement: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<QueryResult<Row>>
  /**
   * Runs work in a transaction. A nested write is part of the outer one: if it fails, only its own changes are rolled back,
   * and the outer one can continue. Do nothing slow inside: on SQLite every other write waits. It may run more than once
   * (on PostgreSQL, after a deadlock), so effects outside of the database go through `afterCommit`. On SQLite `released` is
   * called when other writes no longer wait for this one, before it is on disk.
   */
  write<T>(work: () => Promise<T>, priority?: WritePriority, released?: () => void): Promise<T>
  /** Runs `effect` after the outermost write commits, before it returns; not after a rollback; immediately outside a write. */
  afterCommit(effect: () => void): void
  /**
   * Runs work that only reads, on a replica if possible, which `sql` then uses. It sees everything that was committed before
   * it began. It may run twice, on the primary if the replica fails.
   */
  read<T>(work: () => Promise<T>): Promise<T>
  /**
   * The same database for look-ups by key that visitors and authentication wait for: on SQLite its reads run in the serving
   * thread. All other reads run in the reader threads, once they are used.
   */
  readonly serving: Database
  /** SQLite: from now on reads run in this many threads, which take turns between the accounts. */
  useReaderThreads(threads: number): void
  /** Fails if the database does not respond. */
  ping(): Promise<void>
  /**
   * SQLite: empties the write-ahead log, which still contains deleted data. Returns false if another connection is using it;
   * then try again. PostgreSQL recycles its log itself.
   */
  purgeLog(): Promise<boolean>
  /** Waits for running writes. */
  close(): Promise<void>
  /** For the hot path, which has its own prepared statements; undefined on PostgreSQL. */
  readonly sqliteReader: Sqlite | undefined
  /** For the hot path, which has its own pipelined connection; undefined on SQLite. */
  readonly postgres:
    | {
        readonly pool: Pool
        /** A few connections that are reserved for visitors. */
        readonly visitorPool: Pool
        readonly clientConfig: ClientConfig
      }
    | undefined
}

export interface DatabaseOptions {
  /** `postgres://…`; undefined: SQLite in the data folder. */
  readonly url: string | undefined
  readonly dataDir: string
  /** PostgreSQL: a replica for `read`. */
  readonly readUrl?: string | undefined
  /** PostgreSQL: maximum number of connections of this process, and again as many to the replica. */
  readonly poolSize?: number
  /** PostgreSQL: timeout for a connection, new or from the pool. */
  readonly connectTimeoutMs?: number
  /** PostgreSQL: timeout of a statement. */
  readonly statementTimeoutMs?: number
  /** SQLite: how long to wait while another process writes. */
  readonly lockWaitMs?: number
  /** SQLite: how long a write may block all others before it is aborted. */
  readonly jobLimitMs?: number
  /** Receives errors that have no caller: lost idle connections, effects after a commit. */
  readonly report?: (error: unknown) => void
  readonly migrations?: readonly Migration[]
  readonly now?: () => number
}

export type OpenOptions = DatabaseOptions & Required<Pick<DatabaseOptions, 'migrations' | 'now' | 'report'>>

/** Splits a list into chunks, because the number of values in a statement is limited. */
export function* chunksOf<T>(items: readonly T[], most: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most)
}
