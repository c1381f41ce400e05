import type { Database } from '../../storage/db/database.ts'
import { openPostgresReplay } from './postgres.ts'
import type { Replay, ReplayOptions } from './replay.ts'
import { openSqliteReplay } from './sqlite.ts'

/** In the database when that is PostgreSQL, which all nodes share; else in a file of its own in the data folder. */
export function openReplay(db: Database, dataDir: string, options: ReplayOptions = {}): Promise<Replay> {
  return db.engine === 'postgres' ? openPostgresReplay(db, options) : openSqliteReplay(dataDir, options)
}
