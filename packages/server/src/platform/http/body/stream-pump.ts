import type { Readable } from 'node:stream'
import { BodyFault } from './body-fault.ts'

/**
 * Hands over a request's chunks one by one, to the end, waiting wherever `take` returns a promise. By events and
 * not by iteration, which costs several promises for each chunk: a client may send millions of them. The stream
 * is left open when `take` throws, so that the request can be answered.
 */
export function pump(request: Readable, take: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
  if (request.readableEnded) return Promise.resolve()
  if (request.destroyed) return Promise.reject(aborted(request.errored))
  return new Promise((resolve, reject) => {
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
    }
    const fail = (error: unknown) => {
      stop()
      reject(error)
    }
    const onData = (chunk: Buffer | string) => {
      try {
        const pending = take(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
        if (pending === undefined) return
        request.pause()
        pending.then(() => request.resume(), fail)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = () => {
      stop()
      resolve()
    }
    const onError = (error: unknown) => fail(aborted(error))
    const onClose = () => fail(aborted(undefined))
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  })
}

/**
 * Reads on without keeping anything: a client that is still sending when the connection closes never sees the
 * answer. Past the bound it is cut off.
 */
export function discardRest(request: Readable, bound: number): void {
  let discarded = 0
  const count = (chunk: Buffer | string) => {
    discarded += chunk.length
    if (discarded > bound) request.off('data', count).pause().destroy()
  }
  request.on('error', () => {}).on('data', count)
  request.resume()
}

function aborted(cause: unknown): BodyFault {
  return new BodyFault('aborted', 'The body ended before it was whole', { cause })
}
