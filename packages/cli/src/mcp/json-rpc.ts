/** An error in a JSON-RPC response. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** The codes of JSON-RPC 2.0. */
export const rpcCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const

type Parameters = Readonly<Record<string, unknown>>

/** Handles a method; the signal is aborted when the caller no longer waits. */
export type RpcMethod = (parameters: Parameters, signal: AbortSignal) => Promise<object> | object

interface Message {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

const isObject = (value: unknown): value is Parameters =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number'

const failed = (id: unknown, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id: isId(id) ? id : null,
  error: { code, message },
})

/** Handles the requests of one caller, concurrently, until they are cancelled. */
export class RpcPeer {
  readonly #methods: Readonly<Record<string, RpcMethod>>
  readonly #running = new Map<string | number, AbortController>()

  constructor(methods: Readonly<Record<string, RpcMethod>>) {
    this.#methods = methods
  }

  /** The response to a line; undefined if none is sent. */
  async answer(line: string): Promise<object | undefined> {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      return failed(null, rpcCodes.parse, 'The message is not valid JSON')
    }
    if (!Array.isArray(message)) return this.#answerOne(message)
    // Revision 2025-03-26 of MCP has batches.
    const responses = await Promise.all(message.map((one) => this.#answerOne(one)))
    const given = responses.filter((response) => response !== undefined)
    return given.length === 0 ? undefined : given
  }

  async #answerOne(message: unknown): Promise<object | undefined> {
    const { id, method, params } = (isObject(message) ? message : {}) as Message
    // A response to one of our requests, which do not exist.
    if (isObject(message) && method === undefined && ('result' in message || 'error' in message))
      return undefined
    if (typeof method !== 'string')
      return failed(id, rpcCodes.invalidRequest, 'The message is not a request of JSON-RPC 2.0')
    const given = isObject(params) ? params : {}
    if (!isId(id)) {
      if (method === 'notifications/cancelled') this.#cancel(given['requestId'])
      return undefined
    }
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const handler = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined
      if (handler === undefined) throw new RpcError(rpcCodes.methodNotFound, `There is no method ${method}`)
      const result = await handler(given, controller.signal)
      // A cancelled request gets no response.
      return controller.signal.aborted ? undefined : { jsonrpc: '2.0', id, result }
    } catch (error) {
      if (controller.signal.aborted) return undefined
      const code = error instanceof RpcError ? error.code : rpcCodes.internal
      return failed(id, code, error instanceof Error ? error.message : String(error))
    } finally {
      this.#running.delete(id)
    }
  }

  #cancel(id: unknown): void {
    if (isId(id)) this.#running.get(id)?.abort()
  }
}
