import { join } from 'node:path'
import { dataFolder } from '../../storage/data-folder.ts'
import type { Database } from '../../storage/db/database.ts'
import { databaseStatistics } from './database.ts'
import { openScanThread } from './scan-thread.ts'
import type { Statistics } from './statistics.ts'

/** Statistics of the clicks in the database. */
export function openStatistics(db: Database, dataDir: string): Statistics & { close(): Promise<void> } {
  const thread = db.engine === 'sqlite' ? openScanThread(join(dataDir, dataFolder.database)) : undefined
  return { ...databaseStatistics(db, thread), close: async () => thread?.close() }
}
