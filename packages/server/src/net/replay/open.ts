import type { Database } from '../../storage/db/database.ts'
import { keyedHash } from '../../storage/secrets.ts'
import { openPostgresReplay } from './postgres.ts'
import type { Replay, ReplayOptions } from './replay.ts'
import { openSqliteReplay } from './sqlite.ts'

/**
 * In the database when that is PostgreSQL, which all nodes share; else in a file of its own in the data folder. Only keyed
 * hashes are recorded: nothing there names a key whose account is erased.
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
