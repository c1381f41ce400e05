import type { Database, DatabaseOptions, OpenOptions } from './database.ts'
import { migrations } from './migrations/index.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database and brings its schema up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const settings: OpenOptions = {
    ...options,
    migrations: options.migrations ?? migrations,
    now: options.now ?? Date.now,
    report: options.report ?? ((error) => console.error(error)),
  }
  if (options.url === undefined) return openSqlite(settings)
  // Loaded by those alone who use it, for the sake of memory.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(options.url, settings)
}
