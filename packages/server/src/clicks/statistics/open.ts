import { join } from 'node:path'
import type { Logger } from 'pino'
import { openClickHouse } from '../clickhouse/client.ts'
import { ClickHouseLease } from '../clickhouse/lease.ts'
import { deleteErased } from '../clickhouse/retention.ts'
import { ClickSender } from '../clickhouse/sender.ts'
import { dataFolder } from '../../storage/data-folder.ts'
import type { Database } from '../../storage/db/database.ts'
import { clickHouseStatistics } from './clickhouse.ts'
import { databaseStatistics } from './database.ts'
import { sweepClicks } from './retention.ts'
import { openScanThread } from './scan-thread.ts'
import type { Statistics } from './statistics.ts'

export interface OpenStatistics extends Statistics {
  /** Only with ClickHouse; a serving process starts it. */
  readonly sender: ClickSender | undefined
  close(): Promise<void>
}

interface ClickHouseSettings {
  readonly url: string
  readonly retentionDays: number
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** Statistics of the clicks in the database, or in ClickHouse. */
export function openStatistics(
  db: Database,
  dataDir: string,
  inClickHouse?: ClickHouseSettings,
): OpenStatistics {
  if (inClickHouse !== undefined) return openInClickHouse(db, inClickHouse)
  const thread = db.engine === 'sqlite' ? openScanThread(join(dataDir, dataFolder.database)) : undefined
  return { ...databaseStatistics(db, thread), sender: undefined, close: async () => thread?.close() }
}

function openInClickHouse(db: Database, { url, retentionDays, log }: ClickHouseSettings): OpenStatistics {
  const clickhouse = openClickHouse(url)
  const lease = new ClickHouseLease(db)
  const statistics = clickHouseStatistics(db, clickhouse, lease)
  const sweep = async (): Promise<void> => {
    await sweepClicks(db, statistics, { nowMs: Date.now(), retentionDays })
    await lease.exclusively(() => deleteErased(db, clickhouse, Date.now()))
  }
  const sender = new ClickSender({ db, clickhouse, lease, log, sweep })
  return {
    ...statistics,
    sender,
    async close() {
      await sender.close()
      await lease.close()
    },
  }
}
