import type { Logger } from 'pino'
import { discardRest } from '../net/discard-body.ts'
import { AppError } from '../net/errors.ts'
import { isUnavailable } from '../storage/db/unavailable.ts'
import type { RejectVisit } from './site.ts'

/** As much of a body as is read so that its sender gets the response. */
const DISCARD = { discardBytes: 64 * 1024, discardMs: 5_000 }

/** Responds to requests of visitors that failed. */
export const createRejection =
  (log: Logger): RejectVisit =>
  (request, response, requestId, error): void => {
    const rejection =
      error instanceof AppError
        ? error
        : new AppError(isUnavailable(error) ? 'unavailable' : 'internal', { cause: error })
    if (rejection.code === 'unavailable')
      log.warn({ err: rejection.cause, requestId }, 'a dependency is unavailable')
    else if (rejection.code === 'internal') log.error({ err: rejection.cause, requestId }, 'request failed')
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    discardRest(request, DISCARD)
    const body = JSON.stringify(rejection.body)
    response
      .writeHead(rejection.status, {
        'cache-control': 'no-cache, private',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-content-type-options': 'nosniff',
        'x-request-id': requestId,
        ...rejection.headers,
      })
      .end(request.method === 'HEAD' ? '' : body)
  }
