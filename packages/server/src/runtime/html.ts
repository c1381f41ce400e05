import type { FastifyReply } from 'fastify'

/** What every page sends along, whatever it shows. */
const SECURITY_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** The headers of a page with this content security policy. */
export const htmlHeaders = (csp: string): Record<string, string> => ({
  ...SECURITY_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': csp,
})

/** Sends a page. */
export const sendHtml = (
  reply: FastifyReply,
  status: number,
  html: string | Buffer,
  csp: string,
): FastifyReply => reply.code(status).headers(htmlHeaders(csp)).send(html)
