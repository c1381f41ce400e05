import type { Readable } from 'node:stream'
import { BodyError } from './body-limits.ts'
import { nextTurn } from '../../work/turns.ts'

/** What is read of one body before others are served: one that has arrived whole is 2 MB at a time otherwise. */
const BYTES_AT_ONCE = 256 * 1024

/**
 * Hands over a request's chunks one by one, to the end, waiting wherever `take` returns a promise. By events and
 * not by iteration, which costs several promises for each chunk: a client may send millions of them. The stream
 * is left open when `take` throws, so that the request can be answered. Silence longer than `idleMs` is a fault of the
 * client; the time that `take` needs is not.
 */
export function pump(
  request: Readable,
  idleMs: number,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  if (request.readableEnded) return Promise.resolve()
  if (request.destroyed) return Promise.reject(aborted(request.errored))
  return new Promise((resolve, reject) => {
    const silence = setTimeout(
      () => fail(new BodyError('too_slow', 'The body arrived too slowly')),
      idleMs,
    ).unref()
    let atOnce = 0
    const stop = () => {
      clearTimeout(silence)
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
    }
    const fail = (error: unknown) => {
      stop()
      reject(error)
    }
    const onData = (chunk: Buffer | string) => {
      try {
        silence.refresh()
        atOnce += chunk.length
        let pending: Promise<unknown> | undefined = take(
          typeof chunk === 'string' ? Buffer.from(chunk) : chunk,
        )
        if (atOnce >= BYTES_AT_ONCE) pending ??= nextTurn()
        if (pending === undefined) return
        atOnce = 0
        request.pause()
        pending.then(() => {
          silence.refresh()
          request.resume()
        }, fail)
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
 * A body that has already arrived with the headers, as short ones do: no waiting and no timeout is needed. Undefined:
 * there is more to come.
 */
export function readWhole(request: Readable, declaredBytes: number): Buffer | undefined {
  if (declaredBytes === 0 || request.readableLength !== declaredBytes) return undefined
  // By its length: without one, a stream hands over its first chunk alone.
  const bytes: unknown = request.read(declaredBytes)
  if (!Buffer.isBuffer(bytes) || bytes.length !== declaredBytes) throw aborted(undefined)
  // So that it comes to its end, which is how others see that nothing is left of it.
  request.resume()
  return bytes
}

const discarding = new WeakSet<Readable>()

/**
 * Reads on without keeping anything: a client that is still sending when the connection closes never sees the
 * response. Past the bounds it is cut off. May be called again.
 */
export function discardRest(
  request: Readable,
  { discardBytes, discardMs }: { discardBytes: number; discardMs: number },
): void {
  if (request.readableEnded || request.destroyed || discarding.has(request)) return
  discarding.add(request)
  let discarded = 0
  const cutOff = () => {
    request.off('data', count).pause().destroy()
  }
  const tooLong = setTimeout(cutOff, discardMs).unref()
  const count = (chunk: Buffer | string) => {
    discarded += chunk.length
    if (discarded > discardBytes) cutOff()
  }
  request
    .on('error', () => {})
    .on('close', () => clearTimeout(tooLong))
    .on('end', () => clearTimeout(tooLong))
    .on('data', count)
  request.resume()
}

function aborted(cause: unknown): BodyError {
  return new BodyError('aborted', 'The body is incomplete', { cause })
}
