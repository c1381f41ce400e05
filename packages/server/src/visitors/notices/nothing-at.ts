import type { IncomingMessage } from 'node:http'
import type { HostNotices } from './host-notices.ts'
import type { Notice } from './notices.ts'

/** The response if no route matches: the root of a host, or not found. */
export function nothingAt(
  { url = '', headers }: IncomingMessage,
  domainOf: (host: string | undefined) => string,
  notices: Pick<HostNotices, 'root' | 'notice'>,
): Notice {
  const domain = domainOf(headers.host)
  if (domain !== '' && /^\/(?:\?|$)/.test(url)) return notices.root(domain, headers)
  return notices.notice(domain, 'notFound', headers)
}
