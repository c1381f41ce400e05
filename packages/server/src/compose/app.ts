import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { pino, type Logger } from 'pino'
import { createAccessLog } from '../api/access-log.ts'
import { createIdempotency } from '../api/steps/idempotency.ts'
import { warnOfSent } from '../clicks/clickhouse/sent-periods.ts'
import type { Config } from '../config.ts'
import { createAddressReader } from '../net/client-address.ts'
import { createMetrics } from '../work/metrics.ts'
import { removeLeftovers } from '../storage/backups/backup.ts'
import { isBucket } from '../storage/backups/targets.ts'
import { openApi } from './api.ts'
import { openBackground } from './background.ts'
import { measure } from './metrics.ts'
import { openModules } from './modules.ts'
import { openStorage } from './storage.ts'
import { openVisitors } from './visitors.ts'

export interface App {
  readonly http: FastifyInstance
  /** Closes everything in reverse order. A part that fails to close does not skip the others. */
  close(): Promise<void>
}

/** One for each core, and one that only runs quick statements; more would take the cores from visitors. */
const READER_THREADS = Math.min(4, availableParallelism() + 1)

/** The parts of a start, in this order. */
export type Stage = 'storage' | 'modules' | 'visitors' | 'background' | 'api'

/** Opens the whole service, ready to listen. A start that fails closes what it has opened. */
export async function openApp(
  config: Config,
  log: Logger = pino({ level: config.logLevel }),
  opened: (stage: Stage) => void = () => {},
): Promise<App> {
  await using closing = new AsyncDisposableStack()
  const core = await openStorage(config, log, closing)
  const archives = [config.backups?.target ?? ''].filter((target) => target !== '' && !isBucket(target))
  await removeLeftovers(config.dataDir, archives, core.now()).catch(core.reportError)
  // Of several processes the first one does it.
  if (!cluster.isWorker) await warnOfSent(core.db, config, log)
  opened('storage')
  const modules = await openModules(core)
  opened('modules')
  const addressOf = createAddressReader(config.trustProxy)
  const accessLog = createAccessLog({
    mode: config.logRequests,
    withAddresses: config.logAddresses,
    addressOf,
    log,
  })
  const visitors = openVisitors(core, modules, addressOf, accessLog)
  opened('visitors')
  const idempotency = createIdempotency(core.db, core.now)
  // Periodic work ends immediately when the service stops, while the last requests are still being served.
  const background = new AsyncDisposableStack()
  let ended: Promise<void> | undefined
  const endBackground = (): Promise<void> => (ended ??= background.disposeAsync())
  closing.defer(endBackground)
  const jobs = openBackground(core, modules, idempotency, background)
  opened('background')
  const metrics = createMetrics()
  const http = await openApi(core, { modules, visitors, idempotency, metrics, addressOf, accessLog })
  measure(metrics, { db: core.db, visitors, jobs, modules: modules.list })
  // By now the other processes of this machine have reported which accounts have listeners.
  await core.bus.settled()
  // Not earlier, because the reads of a start would have to wait for the threads to start.
  core.db.useReaderThreads(READER_THREADS)
  opened('api')
  const close = closing.move()
  return {
    http,
    close: () => {
      endBackground().catch(core.reportError)
      return close.disposeAsync()
    },
  }
}
