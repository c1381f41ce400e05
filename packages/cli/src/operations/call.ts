import type { OperationName } from '@waymark/contract'
import type { CallOptions, Client } from '@waymark/sdk'

export type Fields = Record<string, unknown>

/** The part of a response that commands use. */
export interface AnyResponse {
  readonly data: unknown
  readonly meta?: { readonly total?: number }
}

/** Any operation; the server validates the fields. */
export type AnyCall = (input?: object, options?: CallOptions) => Promise<AnyResponse> & AsyncIterable<Fields>

/** An operation by its name. */
export const callOf = (client: Client, name: OperationName): AnyCall => client[name] as unknown as AnyCall
