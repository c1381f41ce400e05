import type { Reads } from './database.ts'
import type { PoolOptions } from './postgres-pool.ts'
import { openSqliteReader } from './sqlite-reader.ts'

interface ReaderOptions extends PoolOptions {
  /** `postgres://…`; undefined: SQLite in the data folder. */
  readonly url: string | undefined
  readonly dataDir: string
}

/** Opens the database to look things up. Its schema must have been migrated. */
export async function openReader(options: ReaderOptions): Promise<Reads & { close(): Promise<void> }> {
  if (options.url === undefined) return openSqliteReader(options.dataDir)
  // Loaded only when needed, to save memory.
  const { openPostgresReader } = await import('./postgres-reader.ts')
  return openPostgresReader(options.url, options)
}
