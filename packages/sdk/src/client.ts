import type { CallOptions } from './call-options.ts'
import { caller } from './call.ts'
import { type Change, changer } from './change.ts'
import { listener } from './events.ts'
import { type AskPage, listRequest, type ListRequest } from './lists.ts'
import type { ResponseOf, Input, Item, ListName, OperationName, Operations } from './operations.ts'
import type { ClientOptions } from './options.ts'
import type { OperationCall } from './payload.ts'
import { credentialsOf } from './request.ts'
import { calls, listNames } from './operation-facts.gen.ts'

/** A client of one server: one method for each operation, `all` and `change`. */
export interface Client extends Operations {
  /** Every item of the list of this name, page by page as they are needed. */
  all<N extends ListName>(name: N, query?: Input<N>, options?: CallOptions): AsyncIterable<Item<N>>
  /**
   * Changes some fields of one resource: reads it, applies the fields, and sends the edit with the fields that it
   * requires. Throws a `PreconditionError` if the resource was edited in between.
   */
  readonly change: Change
}

type PageResponse = ResponseOf<ListName>

/** A client of one server: with a token, with a key and its secret, or with the session of a browser. */
export const createClient = (options: ClientOptions): Client => {
  const credentials = credentialsOf(options, options.now ?? Date.now)
  const call = caller(options, credentials)
  const listen = listener(options, credentials)
  const list = (name: ListName, query?: object, callOptions?: CallOptions): ListRequest<PageResponse> =>
    listRequest((page) => call(name, page, callOptions) as ReturnType<AskPage<PageResponse>>, { ...query })
  const methods = (Object.keys(calls) as OperationName[]).map((name) => [
    name,
    isStream(name)
      ? listen.bind(undefined, name)
      : isList(name)
        ? (query?: object, callOptions?: CallOptions) => list(name, query, callOptions)
        : (input?: object, callOptions?: CallOptions) => call(name, input, callOptions),
  ])
  return { ...Object.fromEntries(methods), all: list, change: changer(call) } as Client
}

const isStream = (name: OperationName): boolean => (calls[name] as OperationCall).returns === 'events'

const isList = (name: OperationName): name is ListName => (listNames as readonly string[]).includes(name)
