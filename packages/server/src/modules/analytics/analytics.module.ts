import { type LiveCaller, LiveClicks } from '../../clicks/live/live-clicks.ts'
import { createClickEraser } from '../../clicks/statistics/erasure.ts'
import { forgetVisitors, sweepClicks } from '../../clicks/statistics/retention.ts'
import { Background } from '../../work/background.ts'
import type { Core, Module } from '../module.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { type AnalyticsDeps, createAnalytics } from './analytics.service.ts'
import { createLive } from './live.service.ts'
import { rehearse } from './rehearsal.ts'

interface AnalyticsParts {
  readonly labelsOf: AnalyticsDeps['labelsOf']
  /** The keys and sessions among these that can still be used. */
  readonly usableCallers: (callers: readonly LiveCaller[]) => Promise<ReadonlySet<string>>
}

/** Click statistics, and clicks as they arrive. */
export function analyticsModule(core: Core, { labelsOf, usableCallers }: AnalyticsParts) {
  const { config, db, bus, changes, newId, now, reportError } = core
  const { clickRetentionDays: retentionDays } = config
  const ownHost = new URL(config.baseUrl).hostname
  const live = new LiveClicks({ bus, usable: usableCallers, newId, now, report: reportError })
  changes.onCaller(() => void live.check().catch(reportError))
  const analytics = createAnalytics({ db, now, retentionDays, ownHost, labelsOf })
  const background = new Background(reportError)
  return {
    live,
    routes: analyticsRoutes(analytics, createLive(db, live, ownHost)),
    start: (closing) => {
      closing.defer(() => live.close())
      closing.defer(() => background.close())
      background.start(() => rehearse({ db, analytics, now, newId }, background.closing))
    },
    jobs: [
      {
        name: 'clicks',
        cron: '40 2 * * *',
        run: (signal) => sweepClicks(db, { nowMs: now(), retentionDays, signal }),
      },
      {
        name: 'visitors',
        cron: '5 * * * *',
        atTakeover: true,
        run: (signal) => forgetVisitors(db, { nowMs: now(), signal }),
      },
    ],
    erase: createClickEraser(db),
  } satisfies Module & { readonly live: LiveClicks }
}
