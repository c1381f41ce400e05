import { done, on, type Routes } from '../../api/routes.ts'
import type { AnalyticsService } from './analytics.service.ts'

export const analyticsRoutes = (analytics: AnalyticsService): Routes => [
  on('analytics', ({ caller, query }) => done('Analytics', analytics.get(caller.userUuid, query))),
]
