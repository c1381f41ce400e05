import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { takeClient } from '../net/client.ts'
import { continueWhenRead, createServer } from '../net/node-http.ts'
import type { PassOn } from '../visitors/site.ts'

/** More than visitors may send, because the visitors' half adds a header. */
const MAX_HEADER_BYTES = 32 * 1024

/** The server behind the visitors' half. A request that does not say whose it is does not come from there. */
export function createPrivateServer(handle: PassOn): Server {
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    if (takeClient(request)) handle(request, response)
    else request.socket.destroy()
  }
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      // HTTP/1.0 needs none.
      requireHostHeader: false,
      // The visitors' half has read the request, and limits how long that takes.
      headersTimeout: 0,
      requestTimeout: 0,
      // An idle connection that this end closes could lose a request that is on its way.
      keepAliveTimeout: 0,
    },
    receive,
  )
  server.maxHeadersCount = 0
  continueWhenRead(server, receive)
  return server
}
