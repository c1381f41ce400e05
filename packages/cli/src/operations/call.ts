import type { OperationName } from '@waymark/contract'
import type { CallOptions, Client } from '@waymark/sdk'

export type Fields = Record<string, unknown>

/** What every operation returns, as far as commands look at it. */
export interface AnyResponse {
  readonly data: unknown
  readonly meta?: { readonly total?: number }
}

/** Any operation; the server judges the fields. */
export type AnyCall = (input?: object, options?: CallOptions) => Promise<AnyResponse> & AsyncIterable<Fields>

/** An operation that is known by its name alone. */
export const callOf = (client: Client, name: OperationName): AnyCall => client[name] as unknown as AnyCall
