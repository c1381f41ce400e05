import { admission } from '../net/admission/lanes.ts'
import type { Database } from '../storage/db/database.ts'
import type { Jobs } from '../work/jobs/jobs.ts'
import type { Metrics } from '../work/metrics.ts'
import type { Module } from '../modules/module.ts'
import { lastBackup } from './background.ts'
import type { Visitors } from './visitors.ts'

interface Measured {
  readonly db: Database
  readonly visitors: Pick<Visitors, 'visits' | 'targets' | 'clicks'>
  readonly jobs: Jobs
  readonly modules: readonly Module[]
}

/** Metrics of all parts of a node, read when /metrics is requested. */
export function measure(metrics: Metrics, { db, visitors, jobs, modules }: Measured): void {
  const { count, watch } = metrics
  const redirects = visitors.visits.counts
  const targets = visitors.targets.counts
  count('waymark_redirects_total', 'Redirects served', () => redirects.redirects)
  count('waymark_redirects_not_found_total', 'Requests for unknown short codes', () => redirects.notFound)
  count(
    'waymark_redirects_gone_total',
    'Requests for expired or removed links',
    () => redirects.gone + redirects.expired,
  )
  count('waymark_redirects_blocked_total', 'Requests for blocked links', () => redirects.blocked)
  count('waymark_redirects_unavailable_total', 'Redirects that returned 503', () => redirects.unavailable)
  count('waymark_target_hits_total', 'Look-ups served from the cache', () => targets.hits)
  count('waymark_target_lookups_total', 'Look-ups served by the database', () => targets.lookups)
  count('waymark_target_faults_total', 'Look-ups that failed', () => targets.faults)
  count('waymark_target_stale_total', 'Redirects from an expired cache entry', () => targets.stale)

  const { spool, ingest } = visitors.clicks
  count('waymark_clicks_spooled_total', 'Clicks written to disk', () => spool.status().writtenClicks)
  count('waymark_clicks_lost_total', 'Clicks lost because the disk was full', () => spool.status().lostClicks)
  count('waymark_clicks_counted_total', 'Clicks counted', () => ingest.status().counts.counted)
  count('waymark_clicks_dropped_total', 'Clicks on removed resources', () => ingest.status().counts.dropped)
  count('waymark_clicks_set_aside_total', 'Clicks, batches and spool files that could not be counted', () => {
    return ingest.status().counts.setAside
  })
  watch('waymark_clicks_held', 'Clicks in memory, waiting for the disk', () => spool.status().heldClicks)
  watch('waymark_spool_backlog_bytes', 'Unread spool', () => ingest.status().counts.backlogBytes)
  watch('waymark_spool_fault', '1 if the spool cannot be written', () => Number(!spool.status().ok))
  watch('waymark_ingest_fault', '1 if clicks of the spool cannot be counted', () =>
    Number(!ingest.status().ok),
  )

  watch('waymark_leader', '1 in the process that runs the periodic jobs', () => Number(jobs.leading))
  count('waymark_job_failures_total', 'Failed runs of periodic jobs', () => jobs.failures)

  watch('waymark_backup_last_success_seconds', 'Time of the last verified backup', () => lastBackup.seconds)

  for (const { measure: own } of modules) own?.(metrics)

  measureAdmission(metrics)

  const pool = db.postgres?.pool
  if (pool === undefined) return
  watch('waymark_database_connections', 'Connections in the pool', () => pool.totalCount)
  watch('waymark_database_connections_idle', 'Idle connections', () => pool.idleCount)
  watch('waymark_database_waiting', 'Requests waiting for a connection', () => pool.waitingCount)
}

function measureAdmission({ watchKinds, countKinds }: Metrics): void {
  const admitted = (figure: 'running' | 'waiting' | 'rejected') => (): Record<string, number> =>
    Object.fromEntries(Object.entries(admission.counts()).map(([kind, counts]) => [kind, counts[figure]]))
  watchKinds('waymark_admission_running', 'Expensive work in progress', admitted('running'))
  watchKinds('waymark_admission_waiting', 'Expensive work waiting in the queue', admitted('waiting'))
  countKinds('waymark_admission_refused_total', 'Expensive work rejected with 503', admitted('rejected'))
}
