import type { IncomingHttpHeaders } from 'node:http'
import type { Click } from '../clicks/spool/record.ts'

/** A visit of a link, a page, or a button or icon of a page, read from its request. */
export const visitOf = (
  headers: IncomingHttpHeaders,
  { kind, resourceUuid, detail = '' }: Pick<Click, 'kind' | 'resourceUuid'> & Partial<Pick<Click, 'detail'>>,
  address: string,
  atMs: number,
): Click => ({
  atMs,
  kind,
  resourceUuid,
  detail,
  address,
  userAgent: headers['user-agent'] ?? '',
  referrer: headers.referer ?? '',
  prefetch: isPrefetch(headers),
  acceptLanguage: headers['accept-language'],
})

/** Whether a browser prefetches. Browsers say so in different headers. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'] ?? headers['x-moz']
  return purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose))
}
