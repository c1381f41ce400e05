import type { FastifyReply } from 'fastify'
import type { Notice } from './notices.ts'

/** Sends a notice through the framework. */
export function sendNotice(reply: FastifyReply, { status, headers, body }: Notice): FastifyReply {
  const pairs = Array.from({ length: headers.length / 2 }, (_, at) => headers.slice(2 * at, 2 * at + 2))
  return reply
    .code(status)
    .headers(Object.fromEntries(pairs) as Record<string, string>)
    .send(body)
}
