import type { Caller, CallingClient } from '../net/caller.ts'
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { operations, OperationName, Role, Scope, SuccessOf } from '@waymark/contract'
import type { Body, Data, FieldErrors, Query } from '@waymark/contract/schemas'
import type { Lane } from '../net/admission/lanes.ts'

/** Properties of a request besides its fields. */
export interface RequestFacts extends CallingClient {
  readonly accept: string
  readonly requestId: string
  /** The versions in `If-Match` that an edit is based on; undefined: any. */
  readonly knownVersions: readonly string[] | undefined
  /** The dashboard's session token, if one was sent. */
  readonly sessionToken: string | undefined
  /** The cookie of a browser whose user is at the OpenID provider. */
  readonly oidcToken: string | undefined
}

/** Registers routes outside `/v1`. */
export type Site = (app: FastifyInstance) => void

type CallerOf<N extends OperationName> = (typeof operations)[N]['auth'] extends 'none' ? undefined : Caller

export interface Context<N extends OperationName> {
  readonly caller: CallerOf<N>
  readonly body: Body<N>
  readonly query: Query<N>
  readonly request: RequestFacts
}

/** A request with some invalid fields: the other fields, as they were sent. */
export interface PartialContext<N extends OperationName> {
  readonly caller: CallerOf<N>
  readonly body: Partial<Body<N>>
  readonly request: RequestFacts
}

/** The body of a successful response. */
export interface Payload<D> {
  readonly status: 'success'
  readonly message: string
  readonly data?: D
  /** Fields and query parameters of the request, or columns of its file, that the operation does not define. */
  readonly ignored?: readonly string[]
  readonly meta?: { readonly count: number; readonly total: number; readonly next_cursor: string | null }
}

/** A response before it is written: JSON, other bytes, or (only for reads) a stream. */
export interface Reply<D = unknown, S extends number = number> {
  readonly status: S
  readonly payload: Payload<D> | Buffer | Readable
  readonly headers?: Record<string, string | readonly string[]>
  /** Ends a stream when its right ends. By default its connection is closed, so that no file looks complete. */
  readonly end?: () => void
}

export interface Needs {
  readonly role?: Role | undefined
  readonly scopes: readonly Scope[]
}

/** Runs an operation. Slow work without writes goes into `prepare`, outside of transactions. */
export interface Handler<N extends OperationName, P> {
  /** The admission lane of an expensive operation, for the whole request after authentication. */
  readonly lane?: Lane
  /** The role and scopes that these fields require beyond those of the table. */
  readonly needs?: (context: Context<N>) => Promise<Needs>
  readonly prepare: (context: Context<N>) => Promise<P>
  /**
   * Errors that `prepare` or `run` would find in a request whose other fields are invalid, so that all invalid fields are
   * reported at once.
   */
  readonly alsoInvalid?: (context: PartialContext<N>) => Promise<FieldErrors>
  /** Reverts the effects of `prepare` if `run` did not succeed. */
  readonly undo?: (prepared: P) => Promise<void>
  /** Its status must be the one in the table, which the compiler checks. */
  readonly run: (context: Context<N>, prepared: P) => Promise<Reply<Data<N>, SuccessOf<N>>>
  /** Continues after the commit and before the response, with work that is too large for one transaction. */
  readonly after?: (context: Context<N>) => Promise<void>
}

/** An operation and its handler. */
export interface Route {
  readonly name: OperationName
  readonly handler: Handler<OperationName, unknown>
}

export type Routes = readonly Route[]

/** Binds an operation of the table to its handler. */
export function on<N extends OperationName, P = undefined>(
  name: N,
  handler: Handler<N, P> | ((context: Context<N>) => Promise<Reply<Data<N>, SuccessOf<N>>>),
): Route {
  const full =
    typeof handler === 'function' ? { prepare: () => Promise.resolve(undefined), run: handler } : handler
  // The pipeline validates by the same name, so its result has the types of this handler.
  return { name, handler: full as unknown as Route['handler'] }
}

const success = async <D, S extends number>(
  status: S,
  message: string,
  data: Promise<D> | D,
): Promise<Reply<D, S>> => ({ status, payload: { status: 'success', message, data: await data } })

/** 201 with the created resource. */
export const created = <D>(message: string, data: Promise<D> | D): Promise<Reply<D, 201>> =>
  success(201, message, data)

/** 200 with the result. */
export const done = <D>(message: string, data: Promise<D> | D): Promise<Reply<D, 200>> =>
  success(200, message, data)

/** 200 without a result: `data` is an empty object, never null. */
export const finished = async (
  message: string,
  work?: Promise<void>,
): Promise<Reply<Record<string, never>, 200>> => {
  await work
  return done(message, {})
}

/** 200 with a page of a list. */
export const listed = async <T>(
  message: string,
  page: Promise<{ items: T[]; total: number; nextCursor: string | null }>,
): Promise<Reply<T[], 200>> => {
  const { items, total, nextCursor } = await page
  const meta = { count: items.length, total, next_cursor: nextCursor }
  return { status: 200, payload: { status: 'success', message, data: items, meta } }
}

/** 200 with a list without pages. */
export const listedWhole = async <T>(message: string, list: Promise<T[]>): Promise<Reply<T[], 200>> => {
  const items = await list
  return listed(message, Promise.resolve({ items, total: items.length, nextCursor: null }))
}

/** 200 with the removed resources: `QR code removed` or `QR codes removed`. */
export const removed = async <D extends object>(noun: string, data: Promise<D>): Promise<Reply<D, 200>> => {
  const gone = await data
  return done(`${noun}${'uuids' in gone ? 's' : ''} removed`, gone)
}
