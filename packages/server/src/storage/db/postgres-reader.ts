import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Reads } from './database.ts'
import { clientConfigOf, discardingBroken, openVisitorPool, type PoolOptions } from './postgres-pool.ts'
import { WriteGuard } from './scopes.ts'
import type { Tables } from './tables.ts'

/** Opens a database server to look things up. Its schema must have been migrated. */
export function openPostgresReader(url: string, options: PoolOptions): Reads & { close(): Promise<void> } {
  const clientConfig = clientConfigOf(url, options)
  const pool = openVisitorPool(clientConfig, options)
  const handle = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: discardingBroken(pool) }),
    plugins: [new WriteGuard()],
  })
  return {
    engine: 'postgres',
    sql: handle,
    run: (statement, parameters) => handle.executeQuery({ ...statement, parameters }),
    async ping() {
      await sql`select 1`.execute(handle)
    },
    close: () => pool.end(),
    sqliteReader: undefined,
    postgres: { pool, visitorPool: pool, clientConfig },
  }
}
