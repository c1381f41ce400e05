import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import { type ClientBase, type ClientConfig, type CustomTypesConfig, Pool, type PoolClient, types } from 'pg'
import { OperatorError } from '../../net/errors.ts'
import { copyOut, isCopyOut } from './copy-out.ts'
import type { Database, OpenOptions } from './database.ts'
import { Dialect } from './dialect.ts'
import { migrateServer } from './migrator.ts'
import { PostgresDatabase } from './postgres-database.ts'
import { Replica } from './replica.ts'
import { WriteGuard } from './scopes.ts'
import type { Tables } from './tables.ts'

const INT8 = 20
const NUMERIC = 1700
/** As many as there are concurrent look-ups of short codes. */
const VISITOR_CONNECTIONS = 2
/** The plan of a prepared look-up lives as long as its connection, but tables may grow a thousandfold meanwhile. */
const VISITOR_CONNECTION_SECONDS = 60

/** Sums of bigint are returned as numeric. Ours are counts and times, far below 2^53. */
const numbersAsNumbers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
}

export async function openPostgres(url: string, options: OpenOptions): Promise<Database> {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000
  const clientConfig: ClientConfig = {
    connectionString: url,
    application_name: 'waymark',
    connectionTimeoutMillis: options.connectTimeoutMs ?? 3_000,
    // The server cancels a slow statement first; this limit is for a server that no longer responds.
    query_timeout: statementTimeoutMs + 1_000,
    keepAlive: true,
    types: numbersAsNumbers,
  }
  const pool = openPool(clientConfig, statementTimeoutMs, options)
  const visitorPool = openPool(
    clientConfig,
    statementTimeoutMs,
    { ...options, poolSize: VISITOR_CONNECTIONS },
    VISITOR_CONNECTION_SECONDS,
  )
  try {
    const unguarded = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: discardingBroken(pool) }) })
    const dialect = new Dialect('postgres', await unicodeCollation(unguarded))
    await migrateServer(unguarded as unknown as Kysely<unknown>, dialect, options)
    const replica = openReplica(pool, clientConfig, statementTimeoutMs, options)
    return new PostgresDatabase(
      unguarded,
      { pool, visitorPool, clientConfig },
      dialect,
      options.report,
      replica,
    )
  } catch (error) {
    await Promise.all([pool.end(), visitorPool.end()])
    throw error
  }
}

function openPool(
  config: ClientConfig,
  statementTimeoutMs: number,
  options: OpenOptions,
  maxLifetimeSeconds = 0,
): Pool {
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

function openReplica(
  primary: Pool,
  config: ClientConfig,
  statementTimeoutMs: number,
  options: OpenOptions,
): Replica | undefined {
  if (options.readUrl === undefined) return undefined
  const pool = openPool({ ...config, connectionString: options.readUrl }, statementTimeoutMs, options)
  const handle = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: discardingBroken(pool) }),
    plugins: [new WriteGuard()],
  })
  return new Replica({ primary, pool, handle, report: options.report })
}

/** A statement that timed out in the client still occupies its connection, which must not be used again. */
function discardingBroken(pool: Pool): PostgresPool {
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

/** The locale of the database may only know ASCII ("C"), but search should fold every script. */
async function unicodeCollation(db: Kysely<Tables>): Promise<string | undefined> {
  const { rows: settings } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(db)
  if (settings[0]?.encoding !== 'UTF8')
    throw new OperatorError('DATABASE_URL: the database must have the encoding UTF8')
  const { rows } = await sql<{ collname: string }>`
    select collname from pg_collation
    where collname in ('pg_unicode_fast', 'und-x-icu', 'pg_c_utf8')
    order by array_position(array['pg_unicode_fast', 'und-x-icu', 'pg_c_utf8'], collname::text) limit 1`.execute(
    db,
  )
  return rows[0]?.collname
}
