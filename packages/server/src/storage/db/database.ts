import type { Database as Sqlite } from 'better-sqlite3'
import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { ClientConfig, Pool } from 'pg'
import type { Dialect } from './dialect.ts'
import type { Migration } from './migrator.ts'
import type { Tables } from './tables.ts'

/**
 * Background: a batch of a long job. On SQLite, where one write runs at a time, it waits until no other write does, and
 * has its transaction to itself. On PostgreSQL all writes run side by side.
 */
export type WritePriority = 'normal' | 'background'

export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  readonly dialect: Dialect
  /** Inside `write`: the transaction. Outside: for reading only. Read this property for every statement; do not keep it. */
  readonly sql: Kysely<Tables>
  /** Runs a statement that is put together once and kept, in the same place where `sql` would. */
  run<Row>(statement: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<QueryResult<Row>>
  /**
   * Runs work in a transaction. Inside another write it is a part of that one: if it fails, it alone is taken
   * back, and the outer one may go on. Nothing slow in it: on SQLite every other write waits. It may run more
   * than once (PostgreSQL, after a deadlock), so effects on anything but the database go through `afterCommit`.
   * `released` is called on SQLite when no other write waits for this one any more, before it is on the disk.
   */
  write<T>(work: () => Promise<T>, priority?: WritePriority, released?: () => void): Promise<T>
  /** Runs after the enclosing write has committed and before it returns; never after a rollback; at once outside a write. */
  afterCommit(effect: () => void): void
  /**
   * Runs work that only reads, if need be on a replica, from which `sql` then reads. It sees everything that was
   * committed before it began. It may run twice: on the primary when the replica fails. With `isLarge` its statements run
   * in a thread of their own on SQLite, because they may read every row of a large account.
   */
  read<T>(work: () => Promise<T>, isLarge?: boolean): Promise<T>
  /** Fails when the database does not respond. */
  ping(): Promise<void>
  /**
   * SQLite: empties the write-ahead log, which still holds what was deleted. False when another connection is using it;
   * try again then. PostgreSQL recycles its log by itself.
   */
  purgeLog(): Promise<boolean>
  /** Waits for the writes under way. */
  close(): Promise<void>
  /** For the hot path, which keeps prepared statements of its own; undefined on PostgreSQL. */
  readonly sqliteReader: Sqlite | undefined
  /** For the hot path, which keeps a pipelined connection of its own; undefined on SQLite. */
  readonly postgres:
    | {
        readonly pool: Pool
        /** A few connections that no other work can occupy. */
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
  /** PostgreSQL: connections of this process at most, and as many again to the replica. */
  readonly poolSize?: number
  /** PostgreSQL: how long to wait for a connection, new or from the pool. */
  readonly connectTimeoutMs?: number
  /** PostgreSQL: how long one statement may take. */
  readonly statementTimeoutMs?: number
  /** SQLite: how long to wait for another process that is writing. */
  readonly lockWaitMs?: number
  /** SQLite: how long one write may keep all others waiting before it is given up. */
  readonly jobLimitMs?: number
  /** Failures that no caller awaits: lost idle connections, effects after a commit. */
  readonly report?: (error: unknown) => void
  readonly migrations?: readonly Migration[]
  readonly now?: () => number
}

export type OpenOptions = DatabaseOptions & Required<Pick<DatabaseOptions, 'migrations' | 'now' | 'report'>>

/** Cuts a list into lists of at most so many: an engine takes only so many values in one statement. */
export function* chunksOf<T>(items: readonly T[], most: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most)
}
