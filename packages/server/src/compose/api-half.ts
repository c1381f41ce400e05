import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import type { ApiServer } from '../api/server.ts'
import { createIdempotency } from '../api/steps/idempotency.ts'
import { openCounting } from '../clicks/counting/open-counting.ts'
import { warnOfSent } from '../clicks/statistics/clickhouse/sent-periods.ts'
import { openSpool } from '../clicks/spool/open-spool.ts'
import type { Config } from '../config.ts'
import { createAccessLog } from '../net/access-log.ts'
import type { Channel } from '../net/bus/channel.ts'
import { clientOf } from '../net/client.ts'
import { OperatorError } from '../net/errors.ts'
import { removeLeftovers } from '../storage/backups/backup.ts'
import { isBucket } from '../storage/backups/targets.ts'
import { createMetrics } from '../work/metrics.ts'
import type { Core } from '../modules/module.ts'
import { openApi } from './api.ts'
import { openBackground } from './background.ts'
import { measureApi } from './metrics.ts'
import { type Modules, openModules } from './modules.ts'
import { openPassedVisits } from './passed-visits.ts'
import { openStorage } from './storage.ts'

/** One for each core, and one that only runs quick statements; more would take the cores from visitors. */
const READER_THREADS = Math.min(4, availableParallelism() + 1)

/** How long a stop waits for clicks to be counted; the next start counts the others. */
const DRAIN_MS = 2_500

/** The parts of a start, in this order. */
export type Stage = 'storage' | 'modules' | 'background' | 'api'

export interface ApiHalf {
  readonly core: Core
  readonly server: ApiServer
  /** Lines for the operator. */
  readonly notices: readonly string[]
  /** Closes everything in reverse order. A part that fails to close does not skip the others. */
  close(): Promise<void>
}

/** Stops the start if no upload can succeed, and logs what works only in part. */
async function checkInstallation({ config, db, log }: Core): Promise<void> {
  await warnOfSent(db, config, log)
  if (config.s3Url === undefined) return
  const { bucketFault } = await import('../storage/blobs/s3.ts')
  const fault = await bucketFault(config.s3Url, 'S3_URL')
  if (fault?.kind === 'missing') throw new OperatorError(fault.line)
  if (fault !== undefined) log.warn(fault.line)
}

/** With a closed sign-up only this link, the command line and an OpenID provider create the first account. */
async function offerFirstAccount(
  { signup, passwordSignIn }: Config,
  { accounts }: Modules,
): Promise<string[]> {
  if (signup === 'open' || !passwordSignIn) return []
  const link = await accounts.firstAccount.offer()
  return link === undefined ? [] : [`There is no account yet. Create the first one at ${link}`]
}

interface ApiHalfOptions {
  /** The owner of the spool of the visitors' half, whose clicks it counts together with its own. */
  readonly visitorSpool: string
  /** To the other processes of this server, if there are any. */
  readonly channel?: Channel | undefined
  /** Only the first process of a start checks the installation, and warns. */
  readonly isFirst?: boolean
  readonly opened?: (stage: Stage) => void
}

/** Opens everything but what visitors need. A start that fails closes what it has opened. */
export async function openApiHalf(
  config: Config,
  log: Logger,
  { visitorSpool, channel, isFirst = true, opened = () => {} }: ApiHalfOptions,
): Promise<ApiHalf> {
  await using closing = new AsyncDisposableStack()
  const core = await openStorage(config, log, closing, channel)
  const archives = [config.backups?.target ?? ''].filter((target) => target !== '' && !isBucket(target))
  await removeLeftovers(config.dataDir, archives, core.now()).catch(core.reportError)
  if (isFirst) await checkInstallation(core)
  opened('storage')
  const modules = await openModules(core)
  opened('modules')
  const spool = openSpool(config, randomUUID(), log)
  const ingest = openCounting(config, [visitorSpool, spool.owner], log, modules.analytics.live)
  closing.defer(async () => {
    spool.close()
    await ingest.drain(DRAIN_MS)
    spool.release()
  })
  const addressOf = (request: object): string => clientOf(request).address
  const accessLog = createAccessLog({
    mode: config.logRequests,
    withAddresses: config.logAddresses,
    addressOf,
    log,
  })
  const visits = openPassedVisits(core, modules, { spool, addressOf, accessLog })
  const idempotency = createIdempotency(core.db, core.now)
  // Periodic work ends immediately when the service stops, while the last requests are still being served.
  const background = new AsyncDisposableStack()
  let ended: Promise<void> | undefined
  const endBackground = (): Promise<void> => (ended ??= background.disposeAsync())
  closing.defer(endBackground)
  const jobs = openBackground(core, modules, idempotency, background)
  opened('background')
  const metrics = createMetrics()
  const clicks = { spool, ingest }
  const parts = { modules, visits, clicks, idempotency, metrics, addressOf, accessLog, channel }
  const server = await openApi(core, parts)
  measureApi(metrics, { db: core.db, clicks, jobs, modules: modules.list })
  // By now the other processes of this machine have reported which accounts have listeners.
  await core.bus.settled()
  // Not earlier, because the reads of a start would have to wait for the threads to start.
  core.db.useReaderThreads(READER_THREADS)
  await server.ready()
  // The process before this one may have ended between a commit and its message.
  core.changes.owners()
  opened('api')
  const notices = isFirst ? await offerFirstAccount(config, modules) : []
  const close = closing.move()
  return {
    core,
    server,
    notices,
    close: () => {
      endBackground().catch(core.reportError)
      return close.disposeAsync()
    },
  }
}
