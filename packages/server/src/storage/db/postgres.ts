import { Kysely, PostgresDialect, sql } from 'kysely'
import type { ClientConfig, Pool } from 'pg'
import { OperatorError } from '../../net/errors.ts'
import type { Database, OpenOptions } from './database.ts'
import { Dialect } from './dialect.ts'
import { migrateServer } from './migrator.ts'
import { PostgresDatabase } from './postgres-database.ts'
import { clientConfigOf, discardingBroken, openPool, openVisitorPool } from './postgres-pool.ts'
import { Replica } from './replica.ts'
import { WriteGuard } from './scopes.ts'
import type { Tables } from './tables.ts'

export async function openPostgres(url: string, options: OpenOptions): Promise<Database> {
  const clientConfig = clientConfigOf(url, options)
  const pool = openPool(clientConfig, options)
  const visitorPool = openVisitorPool(clientConfig, options)
  try {
    const unguarded = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: discardingBroken(pool) }) })
    const dialect = new Dialect('postgres', await unicodeCollation(unguarded))
    await migrateServer(unguarded as unknown as Kysely<unknown>, dialect, options)
    const replica = openReplica(pool, clientConfig, options)
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

function openReplica(primary: Pool, config: ClientConfig, options: OpenOptions): Replica | undefined {
  if (options.readUrl === undefined) return undefined
  const pool = openPool({ ...config, connectionString: options.readUrl }, options)
  const handle = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: discardingBroken(pool) }),
    plugins: [new WriteGuard()],
  })
  return new Replica({ primary, pool, handle, report: options.report })
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
