import { type LiveCaller, LiveClicks } from '../../clicks/live/live-clicks.ts'
import { forgetVisitors, sweepClicks } from '../../clicks/statistics/retention.ts'
import type { Core, Module } from '../module.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { type AnalyticsDeps, createAnalytics } from './analytics.service.ts'
import { createLive } from './live.service.ts'

interface AnalyticsParts {
  readonly labelsOf: AnalyticsDeps['labelsOf']
  readonly clickedLinks: AnalyticsDeps['clickedLinks']
  /** The keys and sessions among these that can still be used. */
  readonly usableCallers: (callers: readonly LiveCaller[]) => Promise<ReadonlySet<string>>
}

/** Click statistics, and clicks as they arrive. */
export function analyticsModule(core: Core, { labelsOf, clickedLinks, usableCallers }: AnalyticsParts) {
  const { config, db, statistics, bus, changes, newId, now, reportError } = core
  const { clickRetentionDays: retentionDays } = config
  const ownHost = new URL(config.baseUrl).hostname
  const live = new LiveClicks({ bus, usable: usableCallers, newId, now, report: reportError })
  changes.onCaller(() => void live.check().catch(reportError))
  const analytics = createAnalytics({ db, statistics, now, retentionDays, ownHost, labelsOf, clickedLinks })
  return {
    live,
    routes: analyticsRoutes(analytics, createLive(db, live, ownHost)),
    start: (closing) => {
      closing.defer(() => live.close())
    },
    jobs: [
      {
        name: 'clicks',
        cron: '40 2 * * *',
        run: (signal) => sweepClicks(db, statistics, { nowMs: now(), retentionDays, signal }),
      },
      {
        name: 'visitors',
        cron: '5 * * * *',
        atTakeover: true,
        run: () => forgetVisitors(db, now()),
      },
    ],
    erase: (userUuid) => statistics.forget(userUuid),
  } satisfies Module & { readonly live: LiveClicks }
}
