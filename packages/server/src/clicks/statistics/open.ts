import { join } from 'node:path'
import type { Logger } from 'pino'
import { openClickHouse } from '../clickhouse/client.ts'
import { ClickHouseLease } from '../clickhouse/lease.ts'
import { deleteErased, markErasedIfSent } from '../clickhouse/retention.ts'
import { ClickSender } from '../clickhouse/sender.ts'
import { forgetSentBefore, rejectSent, rememberStored } from '../clickhouse/sent-periods.ts'
import { dataFolder } from '../../storage/data-folder.ts'
import type { Database } from '../../storage/db/database.ts'
import { dayOf } from '../../work/times.ts'
import { clickHouseStatistics } from './clickhouse.ts'
import { databaseStatistics } from './database.ts'
import { isFiltered, periodsOf, type Range } from './figures.ts'
import { sweepClicks } from './retention.ts'
import { openScanThread } from './scan-thread.ts'
import type { Statistics } from './statistics.ts'

export interface OpenStatistics extends Statistics {
  /** Throws if single clicks of this period are in ClickHouse, and it is not used. */
  reach(workspaceUuid: string, period: Range): Promise<void>
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
  return {
    ...withoutSent(db, databaseStatistics(db, thread)),
    reach: (workspaceUuid, period) => rejectSent(db, workspaceUuid, period),
    sender: undefined,
    close: async () => thread?.close(),
  }
}

/** Statistics that do not leave out clicks which are in ClickHouse, but reject questions about them. */
function withoutSent(db: Database, statistics: Statistics): Statistics {
  return {
    async figures(query) {
      const { fromMs, toMs } = periodsOf(query).range
      const keptFromMs = isFiltered(query) ? dayOf(query.retainedFromMs) : fromMs
      await rejectSent(db, query.workspaceUuid, { fromMs: Math.max(fromMs, keptFromMs), toMs })
      return statistics.figures(query)
    },
    async *clicks(query) {
      const fromMs = Math.max(query.fromMs, dayOf(query.retainedFromMs))
      await rejectSent(db, query.workspaceUuid, { fromMs, toMs: query.toMs })
      yield* statistics.clicks(query)
    },
    async forget(workspaceUuid) {
      await markErasedIfSent(db, workspaceUuid)
      return statistics.forget(workspaceUuid)
    },
    async dropBefore(monthMs, signal) {
      await forgetSentBefore(db, monthMs)
      await statistics.dropBefore(monthMs, signal)
    },
  }
}

function openInClickHouse(db: Database, { url, retentionDays, log }: ClickHouseSettings): OpenStatistics {
  const clickhouse = openClickHouse(url)
  const lease = new ClickHouseLease(db)
  const statistics = clickHouseStatistics(db, clickhouse, lease)
  let isRemembered = false
  const sweep = async (): Promise<void> => {
    await sweepClicks(db, statistics, { nowMs: Date.now(), retentionDays })
    await lease.exclusively(async () => {
      if (!isRemembered) await rememberStored(db, clickhouse)
      isRemembered = true
      await deleteErased(db, clickhouse, Date.now())
    })
  }
  const sender = new ClickSender({ db, clickhouse, lease, log, sweep })
  return {
    ...statistics,
    reach: () => Promise.resolve(),
    sender,
    async close() {
      await sender.close()
      await lease.close()
    },
  }
}
