import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { startIngest } from './counting/ingest-host.ts'
import type { LiveClicks } from './live/live-clicks.ts'
import { Spool } from './spool/spool.ts'
import { dataFolder } from '../storage/data-folder.ts'

const DRAIN_MS = 2_500

export interface ClickSettings {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly clickFsync: boolean
  readonly clicksUrl: string | undefined
}

/** The spool of this process and the thread that moves it into the database. `live` receives clicks that have listeners. */
export function openClicks(
  { dataDir, databaseUrl, clickFsync, clicksUrl }: ClickSettings,
  log: Logger,
  live: LiveClicks,
) {
  const folder = join(dataDir, dataFolder.spool)
  const owner = randomUUID()
  const spool = new Spool({
    folder,
    owner,
    sync: clickFsync,
    onFault: (fault, lostClicks) => {
      if (fault === undefined) log.info({ lostClicks }, 'the click spool can be written again')
      else log.error({ err: fault, lostClicks }, 'the click spool cannot be written; redirects go on')
    },
  })
  const ingest = startIngest({
    folder,
    owner,
    database:
      databaseUrl === undefined
        ? { engine: 'sqlite', file: join(dataDir, dataFolder.database) }
        : { engine: 'postgres', url: databaseUrl },
    merges: clicksUrl === undefined,
    onFault: (text) => log.warn({ fault: text }, 'clicks wait in the spool'),
    onLive: (userUuid, clicks) => live.report(userUuid, clicks),
  })
  live.onWatch((userUuids) => ingest.watch(userUuids))
  return {
    spool,
    ingest,
    async close(): Promise<void> {
      spool.close()
      await ingest.drain(DRAIN_MS)
      spool.release()
    },
  }
}
