import type { Logger } from 'pino'
import { ClickHouseError } from '../clicks/clickhouse/client.ts'
import { isUnavailable } from '../storage/db/unavailable.ts'
import { AppError } from '../net/errors.ts'
import { BodyError } from './body/body-limits.ts'

/** Converts an error to the rejection that the client receives. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof BodyError) return fromBodyError(error)
  if (isUnavailable(error))
    return new AppError(error instanceof ClickHouseError ? 'clicks_unavailable' : 'unavailable', {
      cause: error,
    })
  return fromFramework(error) ?? new AppError('internal', { cause: error })
}

/** Internal causes are logged, and never sent to the client. */
export function logAppError(rejection: AppError, log: Logger, requestId: string): void {
  // Expected under load and counted in metrics, or reported by the file store, the OpenID client or the start: a log line per response
  // would let visitors fill the disk.
  if (rejection.code === 'clicks_unavailable' && isUnreachable(rejection.cause)) return
  if (['busy', 'file_missing', 'oidc_unavailable', 'clicks_elsewhere'].includes(rejection.code)) return
  if (rejection.code === 'unavailable' || rejection.code === 'clicks_unavailable')
    log.warn({ err: rejection.cause, requestId }, 'a dependency is unavailable')
  else if (rejection.status >= 500) log.error({ err: rejection.cause, requestId }, 'request failed')
}

/** The sender of clicks has already logged it. */
const isUnreachable = (cause: unknown): boolean =>
  cause instanceof ClickHouseError && cause.code === undefined

/** Errors of Fastify itself: a content type or length that no parser accepts. */
function fromFramework(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  const status = error.statusCode
  if (status === 413 || status === 415) return new AppError(CODES[status])
  return typeof status === 'number' && status >= 400 && status < 500 ? new AppError('malformed') : undefined
}

const CODES = {
  400: 'malformed',
  408: 'too_slow',
  413: 'too_large',
  415: 'unsupported_type',
  503: 'busy',
} as const

const fromBodyError = (fault: BodyError): AppError =>
  new AppError(CODES[fault.status], { message: fault.message })
