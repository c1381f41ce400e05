import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/*
 * An import of node:http evaluates all its exports, and three of them load undici, which the server does not use: 55 ms of
 * processor time at every start. A test rejects imports of node:http in the server.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')

const waiting = new WeakSet<object>()

/** Whether the sender of a body waits for `100 Continue`: nothing has asked for the body yet. */
export const isBodyWaiting = (request: object): boolean => waiting.has(request)

/**
 * Handles requests with `Expect: 100-continue`. The first read of the body sends `100 Continue`, so that no reader can
 * forget it, and a body that is not read is never sent.
 */
export function continueWhenRead(
  server: Server,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request)
    const read = request._read.bind(request)
    request._read = (size) => {
      if (waiting.delete(request) && !response.headersSent && !response.destroyed) response.writeContinue()
      read(size)
    }
    handle(request, response)
  })
}
