import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import type { Database as Sqlite } from 'better-sqlite3'
import { dataFolder } from '../../storage/data-folder.ts'
import { makePrivateFile, makePrivateFolder } from '../../storage/db/private-folder.ts'
import { retryWhileBusy } from '../../storage/db/sqlite-connection.ts'
import { isBusy, UnavailableError } from '../../storage/db/unavailable.ts'
import { Background } from '../../work/background.ts'
import { Batcher, type ReplayOptions, type ReplayStore, type Use } from './replay.ts'

const LOCK_WAIT_MS = 5_000
const SWEEP_MS = 2_000
const SWEEP_ROWS = 2_000
/** Size of the log, in pages, at which a commit checkpoints it if the counting thread has not (`SignatureLog`). */
const LOG_PAGES = 4_000

/**
 * A separate file, because it needs less durability than the database: a killed process loses nothing, and a signature lost
 * in a power cut only matters for the few minutes in which its timestamp is valid.
 */
export async function openSqliteReplay(dataDir: string, options: ReplayOptions): Promise<ReplayStore> {
  const now = options.now ?? Date.now
  const report = options.report ?? ((error) => console.error(error))
  await makePrivateFolder(dataDir)
  const file = join(dataDir, dataFolder.usedSignatures)
  await makePrivateFile(file)
  const db = await whenFree(() => connect(file))
  // Keyed by time first: rows arrive nearly in that order, and rows that expire together are adjacent.
  const insert = db.prepare('insert or ignore into used_signatures (expires_at, hash) values (?, ?)')
  const expire = db.prepare(`delete from used_signatures where (expires_at, hash) in
    (select expires_at, hash from used_signatures where expires_at < ? limit ${SWEEP_ROWS})`)
  const record = db.transaction((uses: readonly Use[]) =>
    uses.map((use) => insert.run(use.expiresAtMs, use.hash).changes === 1),
  )
  const batcher = new Batcher((uses) => whenFree(() => record.immediate(uses)))

  const background = new Background(report)
  const sweep = async (): Promise<void> => {
    for (let removed = SWEEP_ROWS; removed === SWEEP_ROWS && !background.closing.aborted; await delay(1)) {
      removed = (await whenFree(() => expire.run(now()))).changes
    }
  }
  await sweep()
  background.every(SWEEP_MS, sweep)

  return {
    use: (use) => batcher.use(use),
    async close() {
      await background.close()
      await batcher.close()
      db.close()
    },
  }
}

function connect(file: string): Sqlite {
  const db = new SqliteDatabase(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = wal')
    db.pragma('synchronous = normal')
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`)
    db.pragma('secure_delete = on')
    db.pragma('cache_size = -8192')
    db.exec(`create table if not exists used_signatures (expires_at integer not null, hash text not null,
      primary key (expires_at, hash)) strict, without rowid`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Another process locks the file for microseconds at a time. */
const whenFree = <T>(step: () => T): Promise<T> =>
  retryWhileBusy(step, LOCK_WAIT_MS).catch((error: unknown) => {
    throw isBusy(error) ? new UnavailableError('replay.db is held', { cause: error }) : error
  })
