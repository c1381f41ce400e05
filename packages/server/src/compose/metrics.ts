import { admission } from '../net/admission/lanes.ts'
import type { Database } from '../storage/db/database.ts'
import type { Jobs } from '../work/jobs/jobs.ts'
import type { Metrics } from '../work/metrics.ts'
import type { Module } from '../modules/module.ts'
import { lastBackup } from './scheduled-backups.ts'
import type { Visitors } from './visitors.ts'

interface Measured {
  readonly db: Database
  readonly visitors: Pick<Visitors, 'visits' | 'targets' | 'clicks'>
  readonly jobs: Jobs
  readonly modules: readonly Module[]
}

/** Counters that the parts of a node keep, read when /metrics is requested. */
export function measure(metrics: Metrics, { db, visitors, jobs, modules }: Measured): void {
  const { count, watch } = metrics
  const redirects = visitors.visits.counts
  const targets = visitors.targets.counts
  count('waymark_redirects_total', 'Visitors sent on their way', () => redirects.redirects)
  count('waymark_redirects_not_found_total', 'Codes that lead nowhere', () => redirects.notFound)
  count('waymark_redirects_gone_total', 'Links that have ended', () => redirects.gone + redirects.expired)
  count('waymark_redirects_blocked_total', 'Visits of blocked links', () => redirects.blocked)
  count('waymark_redirects_unavailable_total', 'Visitors sent away with 503', () => redirects.unavailable)
  count('waymark_target_hits_total', 'Look-ups answered from the cache', () => targets.hits)
  count('waymark_target_lookups_total', 'Look-ups that asked the database', () => targets.lookups)
  count('waymark_target_faults_total', 'Look-ups that failed', () => targets.faults)
  count('waymark_target_stale_total', 'Redirects from a dead cache entry', () => targets.stale)

  const { spool, ingest } = visitors.clicks
  count('waymark_clicks_spooled_total', 'Clicks written to disk', () => spool.status().writtenClicks)
  count('waymark_clicks_lost_total', 'Clicks given up, disk full', () => spool.status().lostClicks)
  count('waymark_clicks_counted_total', 'Clicks in the database', () => ingest.status().counts.counted)
  count('waymark_clicks_dropped_total', 'Clicks of what was removed', () => ingest.status().counts.dropped)
  count('waymark_clicks_set_aside_total', 'Clicks, batches and spool files that could not be counted', () => {
    return ingest.status().counts.setAside
  })
  watch('waymark_clicks_held', 'Clicks that wait in memory for the disk', () => spool.status().heldClicks)
  watch('waymark_spool_backlog_bytes', 'Unread spool', () => ingest.status().counts.backlogBytes)
  watch('waymark_spool_fault', 'The spool cannot be written', () => Number(!spool.status().ok))
  watch('waymark_ingest_fault', 'The spool cannot be moved on', () => Number(!ingest.status().ok))

  watch('waymark_leader', 'Whether this process does the periodic work', () => Number(jobs.leading))
  count('waymark_job_failures_total', 'Runs of periodic work that failed', () => jobs.failures)

  watch('waymark_backup_last_success_seconds', 'When a backup was last verified', () => lastBackup.seconds)

  for (const { measure: own } of modules) own?.(metrics)

  measureAdmission(metrics)

  const pool = db.postgres?.pool
  if (pool === undefined) return
  watch('waymark_database_connections', 'Connections of the pool', () => pool.totalCount)
  watch('waymark_database_connections_idle', 'Idle connections', () => pool.idleCount)
  watch('waymark_database_waiting', 'Who waits for a connection', () => pool.waitingCount)
}

function measureAdmission({ watchKinds, countKinds }: Metrics): void {
  const admitted = (figure: 'running' | 'waiting' | 'rejected') => (): Record<string, number> =>
    Object.fromEntries(Object.entries(admission.counts()).map(([kind, counts]) => [kind, counts[figure]]))
  watchKinds('waymark_admission_running', 'Expensive work in progress', admitted('running'))
  watchKinds('waymark_admission_waiting', 'Expensive work that waits for its turn', admitted('waiting'))
  countKinds('waymark_admission_refused_total', 'Expensive work rejected with 503', admitted('rejected'))
}
