/* The routes of visitors on plain node:http. Paths and queries are read exactly as Fastify reads those of the API. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { actingFor } from '../net/admission/gate.ts'
import { addressBucket, type AddressReader } from '../net/client-address.ts'
import { AppError } from '../net/errors.ts'
import type { Notice } from './notices/notices.ts'
import { writeNotice } from './notices/send-notice.ts'
import type { Handle, RejectVisit } from './site.ts'

/** Parameters of a query. One that is repeated is a list. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request, and how to respond to it. */
export interface Exchange<Names extends string = string> {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly params: Readonly<Record<Names, string>>
  readonly query: Query
  /** Sends the not-found page of the requested host. */
  readonly notFound: () => void
}

export interface Route {
  /** Other methods are rejected with 405. */
  readonly methods: readonly string[]
  /** A segment such as `:name` is a parameter; `*` as the last segment matches the rest, also if it is empty. */
  readonly path: string
  handle(exchange: Exchange): unknown
}

type Handler<Names extends string> = (exchange: Exchange<Names>) => unknown

export const route = <Names extends string = never>(
  methods: readonly string[],
  path: string,
  handle: Handler<Names>,
): Route => ({ methods, path, handle })

export const get = <Names extends string = never>(path: string, handle: Handler<Names>): Route =>
  route(['GET', 'HEAD'], path, handle)

interface RouterDependencies {
  /** Paths that Fastify serves. */
  readonly elsewhere: readonly string[]
  /** The first route that matches a path handles it. */
  readonly routes: readonly Route[]
  readonly nothingAt: (request: IncomingMessage) => Notice
  readonly reject: RejectVisit
  /** Whether the requested host is the instance's own rather than a customer's domain. */
  readonly isOwnHost: (host: string | undefined) => boolean
  /** Browsers must use https on the instance's own host. */
  readonly isSecure: boolean
  readonly addressOf: AddressReader
  readonly newId: () => string
  /** Names the route of a request in the access log. */
  readonly name: ((request: IncomingMessage, operation: string, requestId: string) => void) | undefined
  readonly report: (error: unknown) => void
}

const MAX_PARAM_LENGTH = 1024
/** Requests with other methods find no route. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const BODYLESS: readonly string[] = ['GET', 'HEAD']
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

export class Router {
  readonly #deps: RouterDependencies
  readonly #elsewhere: readonly (readonly string[])[]
  readonly #patterns: readonly Pattern[]

  constructor(deps: RouterDependencies) {
    this.#deps = deps
    this.#elsewhere = deps.elsewhere.map((path) => path.split('/'))
    this.#patterns = deps.routes.map((route) => ({ route, segments: route.path.split('/') }))
  }

  readonly handle: Handle = (request, response) => {
    const { path, query } = readTarget(request.url ?? '')
    if (!path.startsWith('/') || !METHODS.includes(request.method ?? '')) return false
    const encoded = path.split('/')
    const segments = path.includes('%') ? decoded(encoded) : encoded
    if (this.#elsewhere.some((pattern) => paramsOf(pattern, segments ?? encoded))) return false
    const notFound = (): void => writeNotice(request, response, this.#deps.nothingAt(request))
    const found = segments && this.#find(segments)
    if (found === undefined) notFound()
    else
      this.#begin(found.route, { request, response, params: found.params, query: readQuery(query), notFound })
    return true
  }

  #find(segments: readonly string[]): { route: Route; params: Record<string, string> } | undefined {
    for (const { route, segments: pattern } of this.#patterns) {
      const params = paramsOf(pattern, segments)
      if (params !== undefined) return { route, params }
    }
    return undefined
  }

  #begin(route: Route, exchange: Exchange): void {
    const { name, newId, isSecure, isOwnHost, addressOf, report } = this.#deps
    const { request, response } = exchange
    const id = newId()
    name?.(request, route.path, id)
    // Without subdomains, because other services on the same domain are not ours to decide.
    if (isSecure && isOwnHost(request.headers.host))
      response.setHeader('strict-transport-security', 'max-age=31536000')
    // From here on expensive work counts against the requester's share.
    const requester = { address: addressBucket(addressOf(request)), isGone: () => request.socket.destroyed }
    actingFor(requester, () => this.run(route, exchange, id)).catch((error: unknown) => {
      report(error)
      response.destroy()
    })
  }

  /** Resolves when the route is done, also if the client has disconnected before. */
  async run(route: Route, exchange: Exchange, id: string): Promise<void> {
    const { request, response } = exchange
    try {
      checkMethodAndType(route, request)
      await route.handle(exchange)
    } catch (error) {
      await this.#deps.reject(request, response, id, error)
    }
  }
}

function checkMethodAndType({ methods }: Route, { method = '', headers }: IncomingMessage): void {
  if (!methods.includes(method))
    throw new AppError('method_not_allowed', { headers: { allow: methods.join(', ') } })
  const type = headers['content-type']
  if (!BODYLESS.includes(method) && type !== undefined && !MEDIA_TYPE.test(type))
    throw new AppError('unsupported_type')
}

interface Pattern {
  readonly route: Route
  readonly segments: readonly string[]
}

/** The parameters of a path; undefined if the path does not match. */
function paramsOf(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  const isOpen = pattern.at(-1) === '*'
  if (isOpen ? path.length < pattern.length : path.length !== pattern.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, expected] of pattern.entries()) {
    const segment = path[at] ?? ''
    if (expected === '*') break
    if (!expected.startsWith(':')) {
      if (segment !== expected) return undefined
    } else if (segment.length > MAX_PARAM_LENGTH) return undefined
    else params[expected.slice(1)] = segment
  }
  return params
}

/** Splits a target at its first question mark or hash sign. */
function readTarget(target: string): { path: string; query: string } {
  const end = target.search(/[?#]/)
  return end === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, end), query: target.slice(end + 1) }
}

/** Undefined if a segment cannot be decoded. An encoded slash separates nothing. */
function decoded(segments: readonly string[]): string[] | undefined {
  try {
    return segments.map((segment) => decodeURIComponent(segment))
  } catch {
    return undefined
  }
}

export function readQuery(text: string): Query {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const end = pair.indexOf('=')
    const name = decodedText(end === -1 ? pair : pair.slice(0, end))
    const value = end === -1 ? '' : decodedText(pair.slice(end + 1))
    const known = query[name]
    if (known === undefined) query[name] = value
    else if (typeof known === 'string') query[name] = [known, value]
    else known.push(value)
  }
  return query
}

/** A text that cannot be decoded stays as it is. */
function decodedText(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** Sends a response as a whole; HEAD gets its headers. */
export function send(
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Uint8Array = '',
): void {
  const hasLength = request.method === 'HEAD' || (status !== 204 && status !== 304)
  const length = hasLength ? { 'content-length': Buffer.byteLength(body) } : {}
  response.writeHead(status, { ...headers, ...length }).end(body)
}

/** For what has been deleted. */
export const sendGone = (exchange: Exchange<never>): void =>
  send(exchange, 410, { 'cache-control': 'no-store' })
