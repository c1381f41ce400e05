import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Turns } from '../work/turns.ts'

/** Hands a request to the routes: those of visitors, then those of Fastify. */
export type PassOn = (request: IncomingMessage, response: ServerResponse) => void

/** Handles a request before all routes. False: the routes handle it; it may also be passed on later. */
export type Front = (request: IncomingMessage, response: ServerResponse, passOn: PassOn) => boolean

/** Handles a request of a visitor before Fastify. False: Fastify handles it. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => boolean

/** Sends the response to a request that failed, and logs internal errors with its id. */
export type RejectVisit = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  error: unknown,
) => Promise<unknown>

/** Handles connections at the socket where it can, and passes the others to the server, a few at a time. */
export type TakeConnections = (server: Server, isClosing: () => boolean, starts: Turns) => void

/** After this many requests of a connection without a response, no more are read. */
export const MAX_OUTSTANDING = 32

/** Headers of every page. */
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

const DRAWING =
  'viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5d4a"/><path d="M6 8h14.5L27 14.5 20.5 21H6z" fill="#ffc52e"/><path d="M10 11.8l2 5.4 2-4.2 2 4.2 2-5.4" fill="none" stroke="#241d02" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/><path d="M11 21v6.5" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>'

/** The logo of the product, a signpost with a yellow plate, as inline HTML. */
export const MARK = `<svg ${DRAWING}`

/** The logo as a separate file. */
export const MARK_FILE = `<svg xmlns="http://www.w3.org/2000/svg" ${DRAWING}`

/** White or black, whichever has more contrast on the colour (WCAG). */
export const readableOn = (color: string): string => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}

/** For URLs whose content never changes, because they include a hash or version. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable'

/** Whether `If-None-Match` matches the tag: in a list, as a weak tag, or with `*`. */
export const isCurrent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)
