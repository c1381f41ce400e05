import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Notice } from './notices.ts'

/** Sends a notice through Fastify, which adds the headers of its hooks. */
export function sendNotice(reply: FastifyReply, { status, headers, body }: Notice): FastifyReply {
  const pairs = Array.from({ length: headers.length / 2 }, (_, at) => headers.slice(2 * at, 2 * at + 2))
  return (
    reply
      .code(status)
      .headers(Object.fromEntries(pairs) as Record<string, string>)
      // Fastify gives every buffer a content type, even an empty one; a redirect has none.
      .send(body.length === 0 ? undefined : body)
  )
}

/** Sends a notice through node:http. */
export function writeNotice(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Notice,
): void {
  response.writeHead(status, headers as string[])
  if (request.method === 'HEAD') response.end()
  else response.end(body)
}
