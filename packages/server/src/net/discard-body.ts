import type { Readable } from 'node:stream'
import { isBodyWaiting } from './node-http.ts'

const discarding = new WeakSet<Readable>()

/**
 * Reads and discards the rest: a client that is still sending when the connection closes never sees the response. Above the
 * limits the connection is closed. May be called again.
 */
export function discardRest(
  request: Readable,
  { discardBytes, discardMs }: { discardBytes: number; discardMs: number },
): void {
  if (request.readableEnded || request.destroyed || discarding.has(request)) return
  // It is never sent.
  if (isBodyWaiting(request)) return
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
