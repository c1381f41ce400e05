import type { CallOptions } from './call-options.ts'
import { parsed } from './call.ts'
import { ConnectionError, errorOf, WaymarkError } from './errors.ts'
import type { OperationName } from './operations.ts'
import type { ClientOptions } from './options.ts'
import { type Credentials, prepare } from './request.ts'
import { delayBefore, wait } from './retry.ts'

const RETRIES = 3
const MAX_DELAY_MS = 60_000
/** How long to wait before a stream that ended is opened again. */
const REOPEN_MS = 3_000

/** Opens the streams of a client. */
export type Listen = (
  name: OperationName,
  input?: object,
  options?: CallOptions,
) => AsyncGenerator<unknown, void>

/**
 * Listens to server-sent events and yields the data of each, until the caller stops. A stream that ends or breaks is opened
 * again, so events in between can be missed; an error response is thrown.
 */
export const listener = (options: ClientOptions, credentials: Credentials): Listen => {
  const { now = Date.now, random = Math.random } = options
  const pause = options.wait ?? wait
  const policy = {
    retries: options.retries ?? RETRIES,
    maxDelayMs: options.maxDelayMs ?? MAX_DELAY_MS,
  }
  const open = opener(options, credentials, now)
  return async function* listen(name, input, callOptions = {}) {
    const stop = new AbortController()
    const { signal: given } = callOptions
    const signal = given === undefined ? stop.signal : AbortSignal.any([given, stop.signal])
    let failures = 0
    try {
      for (;;) {
        const opened = await open(name, input, callOptions, signal)
        if (opened instanceof WaymarkError) {
          failures++
          const state = { failures, isRepeatable: true, remainingMs: Infinity }
          const delay = delayBefore(opened, state, policy, random)
          if (delay === undefined) throw opened
          await pause(delay, signal)
          continue
        }
        failures = 0
        yield* eventsOf(opened, signal)
        await pause(REOPEN_MS, signal)
      }
    } finally {
      stop.abort()
    }
  }
}

/** Sends the request of a stream; its body once it is accepted. */
const opener =
  (options: ClientOptions, credentials: Credentials, now: () => number) =>
  async (
    name: OperationName,
    input: object | undefined,
    callOptions: CallOptions,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array> | WaymarkError> => {
    signal.throwIfAborted()
    const request = await prepare(name, options, input, callOptions)
    const headers = { ...request.headers, ...(await credentials(request)) }
    const credentialsMode = options.session === true ? 'same-origin' : 'omit'
    try {
      const response = await (options.fetch ?? fetch)(request.url, {
        headers,
        signal,
        redirect: 'manual',
        credentials: credentialsMode,
      })
      if (response.status === 200 && response.body !== null) return response.body
      return errorOf(response.status, response.headers, parsed(await response.text()), now())
    } catch (cause) {
      signal.throwIfAborted()
      return new ConnectionError('The server could not be reached', {
        code: 'connection_failed',
        status: 0,
        cause,
      })
    }
  }

/** The data of each event. Comments, names and other fields are ignored. */
async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<unknown, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const chunk = await reader.read().catch(() => undefined)
    signal.throwIfAborted()
    if (chunk === undefined || chunk.done) return
    text += decoder.decode(chunk.value, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield parsed(line.slice('data: '.length))
  }
}
