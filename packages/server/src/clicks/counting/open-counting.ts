import { join } from 'node:path'
import type { Logger } from 'pino'
import { dataFolder } from '../../storage/data-folder.ts'
import type { LiveClicks } from '../live/live-clicks.ts'
import { type IngestHost, startIngest } from './ingest-host.ts'

interface CountingSettings {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly clicksUrl: string | undefined
}

/** Starts the thread that moves the clicks of these spools into the database. `live` receives clicks that have listeners. */
export function openCounting(
  { dataDir, databaseUrl, clicksUrl }: CountingSettings,
  owners: readonly string[],
  log: Logger,
  live: LiveClicks,
): IngestHost {
  const ingest = startIngest({
    folder: join(dataDir, dataFolder.spool),
    owners,
    database:
      databaseUrl === undefined
        ? { engine: 'sqlite', file: join(dataDir, dataFolder.database) }
        : { engine: 'postgres', url: databaseUrl },
    merges: clicksUrl === undefined,
    onFault: (text) => log.warn({ fault: text }, 'clicks wait in the spool'),
    onLive: (workspaceUuid, clicks) => live.report(workspaceUuid, clicks),
  })
  live.onWatch((workspaceUuids) => ingest.watch(workspaceUuids))
  return ingest
}
