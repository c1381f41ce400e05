import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Notice } from './notices.ts'

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
