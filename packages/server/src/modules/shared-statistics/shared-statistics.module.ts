import { sites } from '@waymark/contract'
import type { Data } from '@waymark/contract/schemas'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { done, listedWhole, on } from '../../api/routes.ts'
import { currentRequester } from '../../net/admission/gate.ts'
import { type Limits, takeOrReject } from '../../net/limits/limits.ts'
import { AppError } from '../../net/errors.ts'
import { htmlHeaders } from '../../visitors/site.ts'
import type { Core, Module } from '../module.ts'
import { MISSING, sharedNotice, type SharedPage, sharedPage } from './shared-page.ts'
import { PERIODS, type SharedDependencies, SharedStatisticsService } from './shared-statistics.service.ts'
import { createSharedStore } from './shared-statistics.store.ts'

interface SharedParts extends Pick<SharedDependencies, 'analytics' | 'isSuspended' | 'shortUrl' | 'pageUrl'> {
  readonly brandOf: (workspaceUuid: string) => Promise<Data<'brandKit'>>
}

/** Statistics that are shared at a public address. */
export function sharedStatisticsModule(core: Core, { brandOf, ...parts }: SharedParts): Module {
  const { config, db, limits } = core
  const { baseUrl } = config
  const service = new SharedStatisticsService({ ...core, ...parts, baseUrl, store: createSharedStore(db) })
  return {
    routes: [
      on('shareStatistics', async ({ caller, body }) => {
        const { isNew, shared } = await service.share(caller, body)
        return {
          status: isNew ? 201 : 200,
          payload: { status: 'success', message: 'Statistics shared', data: shared },
        }
      }),
      on('sharedStatistics', ({ caller }) =>
        listedWhole('Shared statistics', service.list(caller.workspaceUuid)),
      ),
      on('unshareStatistics', ({ caller, body }) =>
        done('Statistics no longer shared', service.unshare(caller.workspaceUuid, body.uuid)),
      ),
    ],
    sites: [sharedSite(service, brandOf, limits, new URL(baseUrl).origin)],
    jobs: [{ name: 'shared-statistics', cron: '25 3 * * *', run: () => service.removeExpired() }],
  }
}

/** Views per minute from one address, of all shared statistics together. */
const VIEWS_A_MINUTE = 60

/** Only the token in the address protects a page: no index, no referrer, no shared cache. */
const PRIVATE = {
  'cache-control': 'private, no-cache',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

/** The public pages. An unknown token costs one look-up, and requests are limited per address. */
const sharedSite =
  (service: SharedStatisticsService, brandOf: SharedParts['brandOf'], limits: Limits, origin: string) =>
  (app: FastifyInstance): void => {
    const respond = async (token: string, days: unknown, reply: FastifyReply) => {
      await takeOrReject(limits, `shared:${currentRequester().address ?? ''}`, VIEWS_A_MINUTE)
      const row = await service.find(token)
      if (row === undefined) return send(reply.code(404), MISSING)
      const period = PERIODS.find((each) => String(each) === days) ?? 30
      const [report, brand] = [await service.report(row, period), await brandOf(row.workspace_uuid)]
      return send(reply, sharedPage(report, brand, origin))
    }
    app.get<{ Params: { token: string }; Querystring: Record<string, unknown> }>(
      `${sites.dashboard}/shared/:token`,
      async (request, reply) => {
        try {
          return await respond(request.params.token, request.query['days'], reply)
        } catch (error) {
          // Browsers get a page. Internal errors go to the error handler, which logs them.
          if (!(error instanceof AppError) || error.status === 500) throw error
          reply.code(error.status).headers(error.headers)
          return send(reply, sharedNotice('Not now', error.message))
        }
      },
    )
  }

const send = (reply: FastifyReply, { html, csp }: SharedPage): FastifyReply =>
  reply.headers({ ...htmlHeaders(csp), ...PRIVATE }).send(html)
