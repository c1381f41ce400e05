import type { Database, DatabaseOptions, OpenOptions } from './database.ts'
import { loadMigrations } from './migrator.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database and migrates its schema. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const settings: OpenOptions = {
    ...options,
    migrations: options.migrations ?? (await loadMigrations()),
    now: options.now ?? Date.now,
    report: options.report ?? ((error) => console.error(error)),
  }
  if (options.url === undefined) return openSqlite(settings)
  // Loaded only when needed, to save memory.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(options.url, settings)
}
