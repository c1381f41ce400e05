import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { type ClientBase, type ClientConfig, type CustomTypesConfig, Pool, type PoolClient, types } from 'pg'
import { copyOut, isCopyOut } from './copy-out.ts'
import type { DatabaseOptions, OpenOptions } from './database.ts'

const INT8 = 20
const NUMERIC = 1700
/** Sums of bigint are returned as numeric. Ours are counts and times, far below 2^53. */
const numbersAsNumbers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
}

export type PoolOptions = Pick<DatabaseOptions, 'poolSize' | 'connectTimeoutMs' | 'statementTimeoutMs'> &
  Pick<OpenOptions, 'report'>

const timeoutOf = ({ statementTimeoutMs = 10_000 }: PoolOptions): number => statementTimeoutMs

export function clientConfigOf(url: string, options: PoolOptions): ClientConfig {
  return {
    connectionString: url,
    application_name: 'waymark',
    connectionTimeoutMillis: options.connectTimeoutMs ?? 3_000,
    // The server cancels a slow statement first; this limit is for a server that no longer responds.
    query_timeout: timeoutOf(options) + 1_000,
    keepAlive: true,
    types: numbersAsNumbers,
  }
}

/** As many as there are concurrent look-ups of short codes. */
const VISITOR_CONNECTIONS = 2
/** The plan of a prepared look-up lives as long as its connection, but tables may grow a thousandfold meanwhile. */
const VISITOR_CONNECTION_SECONDS = 60

/** The connections of look-ups for visitors. */
export const openVisitorPool = (config: ClientConfig, options: PoolOptions): Pool =>
  openPool(config, { ...options, poolSize: VISITOR_CONNECTIONS }, VISITOR_CONNECTION_SECONDS)

export function openPool(config: ClientConfig, options: PoolOptions, maxLifetimeSeconds = 0): Pool {
  const statementTimeoutMs = timeoutOf(options)
  // A statement instead of a start-up parameter: PgBouncer rejects parameters it does not know.
  const limits =
    `set statement_timeout = ${statementTimeoutMs}; set lock_timeout = ${statementTimeoutMs}; ` +
    `set idle_in_transaction_session_timeout = ${statementTimeoutMs + 5_000}`
  // The pool waits for the returned promise, although its types do not say so.
  const onConnect = (client: ClientBase): unknown => client.query(limits)
  const max = options.poolSize ?? 10
  const pool = new Pool({ ...config, max, idleTimeoutMillis: 30_000, maxLifetimeSeconds, onConnect })
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The pool attaches the whole client to the error, which is too much for a log.
    delete error.client
    options.report(error)
  })
  // A connection that dies between two statements of a transaction emits an 'error' event, and without a listener that would
  // end the process. The next statement fails, which is enough.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** A statement that timed out in the client still occupies its connection, which must not be used again. */
export function discardingBroken(pool: Pool): PostgresPool {
  return {
    connect: async () => guarded(await pool.connect()),
    end: () => pool.end(),
    options: {},
  }
}

function guarded(client: PoolClient): PostgresPoolClient {
  let broken: Error | undefined
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (broken !== undefined) throw broken
    try {
      return isCopyOut(text) ? await copyOut(client, text) : await client.query(text, [...parameters])
    } catch (error) {
      if (error instanceof Error && error.message === 'Query read timeout') broken = error
      throw error
    }
  }
  const release = (discard?: boolean): void => client.release(broken ?? discard)
  return { query, release } as unknown as PostgresPoolClient
}
