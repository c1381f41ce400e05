import type { Data, Query } from '@waymark/contract/schemas'
import { readStats } from '../../clicks/statistics/statistics.ts'
import { analyticsScope } from '../../clicks/statistics/analytics-scope.ts'
import type { Database } from '../../storage/db/database.ts'
import { AppError, fieldError } from '../../runtime/errors.ts'
import { isoTime } from '../../runtime/times.ts'
import { DAY_MS } from '../../runtime/times.ts'

export type Analytics = Data<'analytics'>

const DEFAULT_DAYS = 30
/** Points of one series: ten years of days, or five months of hours. */
const MAX_POINTS = 3_700

const POINT_MS = { hour: DAY_MS / 24, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const

export interface AnalyticsService {
  get(userUuid: string, query: Query<'analytics'>): Promise<Analytics>
}

/** Statistics for their owner, from rollups alone. */
export function createAnalytics(db: Database, now: () => number): AnalyticsService {
  return {
    async get(userUuid, { uuid, from, to, interval = 'day', by }) {
      const toMs = to ?? now()
      const fromMs = from ?? toMs - DEFAULT_DAYS * DAY_MS
      if (fromMs > toMs) throw fieldError('from', 'Must not be after to')
      if ((toMs - fromMs) / POINT_MS[interval] > MAX_POINTS)
        throw fieldError('interval', 'Too short for so long a time; choose a longer one')
      const scope = uuid === undefined ? undefined : await analyticsScope(db, userUuid, uuid)
      if (uuid !== undefined && scope === undefined) throw new AppError('not_found')
      const { series, totals, breakdown } = await readStats(db, {
        userId: userUuid,
        scope: scope === undefined ? undefined : [scope],
        fromMs,
        toMs,
        interval,
        by,
      })
      return {
        uuid: uuid ?? null,
        from: isoTime(fromMs),
        to: isoTime(toMs),
        interval,
        totals,
        series: series.map(({ atMs, ...counts }) => ({ at: isoTime(atMs), ...counts })),
        by: by ?? null,
        breakdown: [...breakdown],
      }
    },
  }
}
