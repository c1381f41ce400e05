import type { Caller, CallingClient } from '../net/caller.ts'
import type { Readable } from 'node:stream'
import type { operations, OperationName, Role, Scope, SuccessOf } from '@waymark/contract'
import type { Body, Data, FieldErrors, Query } from '@waymark/contract/schemas'
import type { Lane } from '../net/admission/lanes.ts'

/** What a handler may want to know about the request besides its fields. */
export interface RequestFacts extends CallingClient {
  readonly accept: string
  readonly requestId: string
  /** The versions that an edit was made for, from `If-Match`; undefined: any. */
  readonly knownVersions: readonly string[] | undefined
  /** The dashboard's session token, if one was sent. */
  readonly sessionToken: string | undefined
  /** What a browser keeps while its user is at the OpenID provider. */
  readonly oidcToken: string | undefined
}

type CallerOf<N extends OperationName> = (typeof operations)[N]['auth'] extends 'none' ? undefined : Caller

export interface Context<N extends OperationName> {
  readonly caller: CallerOf<N>
  readonly body: Body<N>
  readonly query: Query<N>
  readonly request: RequestFacts
}

/** A request of which some fields are invalid: the others, as they were sent. */
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
  /** Fields and query parameters of the request, or columns of its file, that the operation does not know. */
  readonly ignored?: readonly string[]
  readonly meta?: { readonly count: number; readonly total: number; readonly next_cursor: string | null }
}

/** A response before it is written: JSON, bytes of another type, or (reads alone) bytes that are still being made. */
export interface Reply<D = unknown, S extends number = number> {
  readonly status: S
  readonly payload: Payload<D> | Buffer | Readable
  readonly headers?: Record<string, string | readonly string[]>
}

export interface Needs {
  readonly role?: Role | undefined
  readonly scopes: readonly Scope[]
}

/** Runs an operation. What is slow and writes nothing goes into `prepare`, which no transaction waits for. */
export interface Handler<N extends OperationName, P> {
  /** The lane of the admission gate that the whole request passes once its caller is known, where it is expensive. */
  readonly lane?: Lane
  /** The role and scopes that these fields need beyond those of the table. */
  readonly needs?: (context: Context<N>) => Promise<Needs>
  readonly prepare: (context: Context<N>) => Promise<P>
  /**
   * What `prepare` or `run` would reject of a request whose other fields are invalid, so that all invalid fields are
   * reported at once.
   */
  readonly alsoInvalid?: (context: PartialContext<N>) => Promise<FieldErrors>
  /** Takes back what `prepare` left behind when `run` did not come to its end. */
  readonly undo?: (prepared: P) => Promise<void>
  /** Its status is the one of the table; another one does not compile. */
  readonly run: (context: Context<N>, prepared: P) => Promise<Reply<Data<N>, SuccessOf<N>>>
  /** Goes on once the effect has committed, and before the response: what is too much for one transaction. */
  readonly after?: (context: Context<N>) => Promise<void>
}

/** An operation and what runs it. */
export interface Route {
  readonly name: OperationName
  readonly handler: Handler<OperationName, unknown>
}

export type Routes = readonly Route[]

/** Ties an operation of the table to its handler. */
export function on<N extends OperationName, P = undefined>(
  name: N,
  handler: Handler<N, P> | ((context: Context<N>) => Promise<Reply<Data<N>, SuccessOf<N>>>),
): Route {
  const full =
    typeof handler === 'function' ? { prepare: () => Promise.resolve(undefined), run: handler } : handler
  // The pipeline validates by the same name, so what it hands over is what this handler was typed for.
  return { name, handler: full as unknown as Route['handler'] }
}

const success = async <D, S extends number>(
  status: S,
  message: string,
  data: Promise<D> | D,
): Promise<Reply<D, S>> => ({ status, payload: { status: 'success', message, data: await data } })

/** 201 with what was created. */
export const created = <D>(message: string, data: Promise<D> | D): Promise<Reply<D, 201>> =>
  success(201, message, data)

/** 200 with what there is now. */
export const done = <D>(message: string, data: Promise<D> | D): Promise<Reply<D, 200>> =>
  success(200, message, data)

/** 200 once the work is done that has nothing to return: `data` is an empty object, never null. */
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

/** 200 with a list that has one page. */
export const listedWhole = async <T>(message: string, list: Promise<T[]>): Promise<Reply<T[], 200>> => {
  const items = await list
  return listed(message, Promise.resolve({ items, total: items.length, nextCursor: null }))
}

/** 200 with what was removed: `QR code removed` or `QR codes removed`. */
export const removed = async <D extends object>(noun: string, data: Promise<D>): Promise<Reply<D, 200>> => {
  const gone = await data
  return done(`${noun}${'uuids' in gone ? 's' : ''} removed`, gone)
}
