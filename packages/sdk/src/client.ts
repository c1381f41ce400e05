import { operations, type OperationName } from '@waymark/contract'
import type { Answer } from '@waymark/contract/schemas'
import { caller, type CallOptions, type ClientOptions } from './call.ts'
import type { Input, Item, ListName } from './inputs.ts'

type Method<N extends OperationName> =
  Record<string, never> extends Input<N>
    ? (input?: Input<N>, options?: CallOptions) => Promise<Answer<N>>
    : (input: Input<N>, options?: CallOptions) => Promise<Answer<N>>

/** One method for each operation of the service, and `all`, which walks through the pages of a list. */
export type Client = { readonly [N in OperationName]: Method<N> } & {
  /** Every item of a list, page by page as they are needed. */
  all<N extends ListName>(name: N, query?: Input<N>, options?: CallOptions): AsyncGenerator<Item<N>, void>
}

interface ListAnswer {
  readonly data: readonly unknown[]
  readonly meta: { readonly next_cursor: string | null }
}

/** A client of one server: with a key and its secret, or with the session of a signed-in browser. */
export const createClient = (options: ClientOptions): Client => {
  const call = caller(options)
  async function* all(
    name: ListName,
    query?: object,
    callOptions?: CallOptions,
  ): AsyncGenerator<unknown, void> {
    let cursor: string | null | undefined
    do {
      const input = cursor === undefined ? query : { ...query, cursor }
      const page = (await call(name, input, callOptions)) as ListAnswer
      yield* page.data
      cursor = page.meta.next_cursor
    } while (cursor !== null)
  }
  const methods = Object.keys(operations).map((name) => [
    name,
    (input?: object, callOptions?: CallOptions) => call(name as OperationName, input, callOptions),
  ])
  return { ...Object.fromEntries(methods), all } as Client
}
