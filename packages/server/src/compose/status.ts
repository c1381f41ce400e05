import { statusSite } from '../api/status.site.ts'
import type { Core } from '../modules/module.ts'
import type { DiskRoom } from '../storage/disk-room.ts'
import { type Metrics, metricsOfAllProcesses } from '../work/metrics.ts'
import type { Visitors } from './visitors.ts'

/** What `/readyz` looks at, and the metrics. */
export const statusOf = (
  { config, db, limits }: Core,
  { clicks }: Visitors,
  disk: DiskRoom,
  { registry }: Metrics,
) =>
  statusSite(
    [
      { name: 'database', look: () => db.ping().then(() => undefined), vital: () => true },
      {
        name: 'clicks',
        look: () => Promise.resolve(clicksFault(clicks)),
        // Clicks that are in the spool wait there: only a spool that cannot be written loses some.
        vital: () => !clicks.spool.status().ok,
      },
      {
        name: 'disk',
        look: () => Promise.resolve(disk.hasRoomFor(0) ? undefined : 'low'),
        vital: () => false,
      },
      ...(config.redisUrl === undefined
        ? []
        : [{ name: 'redis', look: () => Promise.resolve(limits.fault()), vital: () => false }]),
    ],
    metricsOfAllProcesses(registry),
    config.metricsToken,
  )

/** In one word: the log has the message, which may name paths and addresses. */
function clicksFault({ spool, ingest }: Visitors['clicks']): string | undefined {
  if (!spool.status().ok) return 'unavailable'
  return ingest.status().ok ? undefined : 'waiting'
}
