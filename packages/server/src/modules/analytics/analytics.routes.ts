import { done, on, type Routes } from '../../api/routes.ts'
import type { AnalyticsService } from './analytics.service.ts'
import type { LiveService } from './live.service.ts'

/** Proxies must neither store nor buffer the stream; nginx buffers unless it is told. */
const STREAM = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }

export const analyticsRoutes = (analytics: AnalyticsService, live: LiveService): Routes => [
  on('analytics', ({ caller, query }) => done('Analytics', analytics.get(caller.workspaceUuid, query))),
  on('live', async ({ caller, query }) => ({
    status: 200,
    payload: await live.open(caller, query),
    headers: STREAM,
  })),
]
