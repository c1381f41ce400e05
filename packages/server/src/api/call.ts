import type { Operation, OperationName } from '@waymark/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { admission } from '../net/admission/lanes.ts'
import type { Caller } from '../net/caller.ts'
import type { RawBody } from './body/read-body.ts'
import type { Context, Needs, Reply, RequestFacts, Route } from './routes.ts'

/** A signature, and what it is verified with. */
export interface Proof {
  readonly apiKey: string
  readonly secret: string
  readonly signature: string
  readonly timestamp: string
  readonly expiresAtMs: number
  readonly singleUse: boolean
}

/** The fields of a request after validation. */
export interface RequestFields {
  readonly body: unknown
  readonly query: unknown
  /** Names of fields and query parameters that the operation does not define. */
  readonly ignored: readonly string[]
}

/** Runs an effect in the transaction that stores its response. */
export type Transact = (run: () => Promise<Reply>) => Promise<Reply>

/** One request to an operation. Each step fills in what later steps read. */
export interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Counts the request; rejects it above the limit. */
  readonly meter: { take(bucket: string, limit: number): Promise<void> }
  readonly facts: RequestFacts
  readonly route: Route
  readonly operation: Operation
  readonly isWrite: boolean
  /** Undefined for an operation without credentials. After `authoriseCaller` it has the workspace and the role. */
  caller: Caller | undefined
  /** A signature to verify once the body has been digested. */
  proof: Proof | undefined
  /** The body of a write. */
  raw: RawBody | undefined
  /** The validated fields. */
  fields: RequestFields
  /** The role and scopes that these fields require. */
  needs: Needs
  /** Runs the effect of a request with an `Idempotency-Key`, and stores its response in the same transaction. */
  transact: Transact | undefined
}

/** One step: rejects the request by throwing, or passes it on and returns the response. */
export type Step = (call: Call, next: () => Promise<Reply>) => Promise<Reply>

/** What handlers receive. */
export const contextOf = ({ caller, fields: { body, query }, facts }: Call): Context<OperationName> =>
  ({ caller, body, query, request: facts }) as Context<OperationName>

/** Runs expensive work of an operation when it is the account's turn. */
export const inLane = <T>({ handler: { lane } }: Route, work: () => Promise<T>): Promise<T> =>
  lane === undefined ? work() : admission.run(lane, work)
