import { createClickEraser } from '../../clicks/statistics/erasure.ts'
import { forgetVisitors, sweepClicks } from '../../clicks/statistics/retention.ts'
import type { Core, Module } from '../module.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { type AnalyticsDeps, createAnalytics } from './analytics.service.ts'

/** Click statistics. */
export function analyticsModule({ config, db, now }: Core, labelsOf: AnalyticsDeps['labelsOf']): Module {
  const { clickRetentionDays: retentionDays } = config
  return {
    routes: analyticsRoutes(
      createAnalytics({ db, now, retentionDays, ownHost: new URL(config.baseUrl).hostname, labelsOf }),
    ),
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
  }
}
