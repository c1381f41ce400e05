import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'
import type { Figures } from '../work/metrics.ts'
import { isBearer } from '../net/caller.ts'

/** A health check of one part of a node. */
export interface Check {
  readonly name: string
  /** Resolves if the part works; otherwise throws or resolves to a sentence. */
  readonly look: () => Promise<string | undefined>
  /** Whether a failure means that the node should get no traffic. */
  readonly vital: () => boolean
}

const TIMEOUT_MS = 2_000

const outcome = async ({ name, look, vital }: Check) => {
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve('no response in time'), TIMEOUT_MS).unref()
  })
  const fault = await Promise.race([look().catch(() => 'unavailable'), late])
  return { name, vital: vital(), fault }
}

/** Liveness, readiness and metrics. */
export const statusSite =
  (checks: readonly Check[], metrics: Figures, metricsToken: string | undefined) =>
  (app: FastifyInstance): void => {
    app.get(sites.live, (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ status: 'live' }),
    )

    app.get(sites.ready, async (_request, reply) => {
      const outcomes = await Promise.all(checks.map(outcome))
      const isReady = outcomes.every(({ vital, fault }) => !vital || fault === undefined)
      const parts = Object.fromEntries(outcomes.map(({ name, fault }) => [name, fault ?? 'ok']))
      reply.code(isReady ? 200 : 503).header('cache-control', 'no-store')
      if (!isReady) reply.header('retry-after', '5')
      return reply.send({ status: isReady ? 'ready' : 'unavailable', checks: parts })
    })

    app.get(sites.metrics, async (request, reply) => {
      if (metricsToken === undefined || !isBearer(request.headers.authorization, metricsToken))
        return reply.callNotFound()
      return reply.header('content-type', metrics.contentType).send(await metrics.metrics())
    })
  }
