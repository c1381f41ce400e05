import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { AddressReader } from '../net/client-address.ts'

/** `errors`: requests with a status of 400 or above. */
export type AccessLogMode = 'off' | 'errors' | 'all'

/** One line per request. URLs are left out, because they may contain tokens. */
export interface AccessLog {
  /** Logs the request when its response has ended. */
  readonly watch: (request: IncomingMessage, response: ServerResponse) => void
  /** Sets the operation of a request, when it is known. */
  readonly name: (request: IncomingMessage, operation: string, requestId: string) => void
  /** Logs a response that was written without node:http. */
  readonly note: (operation: string, status: number, address: () => string) => void
}

export interface AccessLogOptions {
  readonly mode: AccessLogMode
  /** Whether lines include the address of the client. */
  readonly withAddresses: boolean
  readonly addressOf: AddressReader
  readonly log: Logger
}

interface Named {
  readonly operation: string
  readonly requestId: string
}

const FIRST_ERROR = 400
const FIRST_FAULT = 500

export function createAccessLog({
  mode,
  withAddresses,
  addressOf,
  log,
}: AccessLogOptions): AccessLog | undefined {
  if (mode === 'off') return undefined
  const names = new WeakMap<IncomingMessage, Named>()

  const write = (status: number, line: object): void => {
    if (mode === 'errors' && status < FIRST_ERROR) return
    const level = status >= FIRST_FAULT ? 'error' : status >= FIRST_ERROR ? 'warn' : 'info'
    log[level](line, 'request')
  }

  return {
    watch(request, response) {
      const startedAt = performance.now()
      // Read now: a closed socket has no address.
      const address = withAddresses ? { address: addressOf(request) } : {}
      response.once('close', () => {
        const { operation = 'visit', requestId } = names.get(request) ?? {}
        const status = response.statusCode
        const ms = Math.round((performance.now() - startedAt) * 10) / 10
        write(status, { requestId, operation, method: request.method, status, ms, ...address })
      })
    },
    name: (request, operation, requestId) => void names.set(request, { operation, requestId }),
    note: (operation, status, address) =>
      write(status, { operation, method: 'GET', status, ...(withAddresses && { address: address() }) }),
  }
}
