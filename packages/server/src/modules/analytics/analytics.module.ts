import { done, on, type Routes } from '../../api/routes.ts'
import { LiveClicks } from '../../clicks/live/live-clicks.ts'
import { forgetVisitors, sweepClicks } from '../../clicks/statistics/retention.ts'
import type { Job } from '../../work/jobs/jobs.ts'
import type { Core, Module } from '../module.ts'
import { type AnalyticsDeps, type AnalyticsService, createAnalytics } from './analytics.service.ts'
import { createLive, type LiveService } from './live.service.ts'

interface AnalyticsParts {
  readonly labelsOf: AnalyticsDeps['labelsOf']
  readonly clickedLinks: AnalyticsDeps['clickedLinks']
}

/** Click statistics, and clicks as they arrive. */
export function analyticsModule(core: Core, { labelsOf, clickedLinks }: AnalyticsParts) {
  const { config, db, statistics, bus, newId, now, reportError } = core
  const { clickRetentionDays: retentionDays } = config
  const ownHost = new URL(config.baseUrl).hostname
  const live = new LiveClicks({ bus, newId, now, report: reportError })
  const analytics = createAnalytics({ db, statistics, now, retentionDays, ownHost, labelsOf, clickedLinks })
  const sweep: Job = {
    name: 'clicks',
    cron: '40 2 * * *',
    run: (signal) => sweepClicks(db, statistics, { nowMs: now(), retentionDays, signal }),
  }
  return {
    live,
    service: analytics,
    routes: analyticsRoutes(
      analytics,
      createLive({ db, live, statistics, now, retentionDays, ownHost, report: reportError }),
    ),
    start: (closing) => {
      closing.defer(() => live.close())
      statistics.sender?.start()
    },
    jobs: [
      // In ClickHouse the process that sends clicks also drops old ones.
      ...(statistics.sender === undefined ? [sweep] : []),
      {
        name: 'visitors',
        cron: '5 * * * *',
        atTakeover: true,
        run: () => forgetVisitors(db, now()),
      },
    ],
    measure: ({ count, watch }) => {
      const { sender } = statistics
      if (sender === undefined) return
      count('waymark_clicks_sent_total', 'Clicks sent to ClickHouse', () => sender.sent)
      count('waymark_clickhouse_failures_total', 'Attempts to send clicks that failed', () => sender.failures)
      watch('waymark_clickhouse_fault', 'Clicks cannot be sent to ClickHouse', () =>
        Number(sender.fault !== undefined),
      )
      watch('waymark_clicks_waiting_seconds', 'Age of the oldest batch that is not in ClickHouse', () =>
        sender.oldestMs === undefined ? 0 : Math.max(0, (now() - sender.oldestMs) / 1_000),
      )
    },
    erase: (userUuid) => statistics.forget(userUuid),
  } satisfies Module & { readonly live: LiveClicks; readonly service: AnalyticsService }
}

/** Proxies must neither store nor buffer the stream, which nginx would do by default. */
const STREAM = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }

const FILES = {
  csv: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="waymark-clicks.csv"',
  },
  ndjson: {
    'content-type': 'application/x-ndjson',
    'content-disposition': 'attachment; filename="waymark-clicks.ndjson"',
  },
}

const analyticsRoutes = (analytics: AnalyticsService, live: LiveService): Routes => [
  on('analytics', ({ caller, query }) => done('Analytics', analytics.get(caller.workspaceUuid, query))),
  on('exportClicks', async ({ caller, query }) => ({
    status: 200,
    payload: await analytics.exportClicks(caller.workspaceUuid, query),
    headers: FILES[query.format ?? 'csv'],
  })),
  on('live', async ({ caller, query }) => {
    const listener = await live.open(caller.workspaceUuid, query)
    return { status: 200, payload: listener, headers: STREAM, end: () => listener.end() }
  }),
]
