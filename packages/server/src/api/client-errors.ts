import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { STATUS_CODES } from '../net/node-http.ts'

const STATUS_OF: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** How long the response to a request with a faulty body may take. */
const OWN_RESPONSE_MS = 1_000

const rejected = new WeakSet<Socket>()

/**
 * Rejects bytes that are no HTTP request, and closes the connection. Requests that came before them get their
 * responses first: what they do is done already, and their clicks are counted.
 */
export function rejectBytes(error: Error & { readonly code?: string }, socket: Socket): void {
  // The parser reports every further chunk as well.
  if (rejected.has(socket)) return
  rejected.add(socket)
  afterResponses(socket, () => {
    if (socket.writable) socket.write(responseText(STATUS_OF[error.code ?? ''] ?? 400))
    socket.destroy()
  })
}

/** node:http keeps the response that is being sent at its socket, and the next one once that is done. */
function afterResponses(
  socket: Socket & { readonly _httpMessage?: ServerResponse | null },
  then: () => void,
): void {
  const response = socket._httpMessage
  if (socket.destroyed || !response) return then()
  if (response.req.complete) {
    response.once('close', () => afterResponses(socket, then))
    return
  }
  // The request whose own bytes are the fault: its response may not depend on them, or may wait for them in vain.
  const timer = setTimeout(then, OWN_RESPONSE_MS)
  response.once('close', () => {
    clearTimeout(timer)
    then()
  })
}

function responseText(status: number): string {
  const body = JSON.stringify({ error: STATUS_CODES[status] })
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\n` +
    `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
  )
}
