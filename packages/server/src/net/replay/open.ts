import type { Database } from '../../storage/db/database.ts'
import { keyedHash } from '../../storage/secrets.ts'
import { openPostgresReplay } from './postgres.ts'
import type { Replay, ReplayOptions } from './replay.ts'
import { openSqliteReplay } from './sqlite.ts'

/**
 * Uses the database if it is PostgreSQL, which all nodes share; else a separate file in the data folder. Only keyed hashes
 * are stored: they do not identify the key of an erased account.
 */
export async function openReplay(
  db: Database,
  dataDir: string,
  key: Buffer,
  options: ReplayOptions = {},
): Promise<Replay> {
  const hashOf = keyedHash(key)
  const store = await (db.engine === 'postgres'
    ? openPostgresReplay(db, options)
    : openSqliteReplay(dataDir, options))
  return {
    use: (apiKey, signature, expiresAtMs) =>
      store.use({ hash: hashOf(`${apiKey}\n${signature}`), expiresAtMs }),
    close: () => store.close(),
  }
}
