import type { Logger } from 'pino'
import { isUnavailable } from '../db/unavailable.ts'
import { AppError } from '../errors.ts'
import { BodyFault } from './body/body-fault.ts'

const RETRY_SECONDS = '5'

/** The refusal that an error stands for. */
export function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof BodyFault) return fromBodyFault(error)
  if (isUnavailable(error))
    return new AppError('unavailable', { headers: { 'retry-after': RETRY_SECONDS }, cause: error })
  return new AppError('internal', { cause: error })
}

/** Causes that are ours go to the log, never to the sender. */
export function logRefusal(refusal: AppError, log: Logger, requestId: string): void {
  if (refusal.code === 'unavailable')
    log.warn({ err: refusal.cause, requestId }, 'a dependency is unavailable')
  else if (refusal.status >= 500) log.error({ err: refusal.cause, requestId }, 'request failed')
}

function fromBodyFault(fault: BodyFault): AppError {
  const code = fault.status === 413 ? 'too_large' : fault.status === 415 ? 'unsupported_type' : 'malformed'
  return new AppError(code, { message: fault.message })
}
