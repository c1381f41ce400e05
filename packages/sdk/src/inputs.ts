import type { OperationName, UploadedFile } from '@waymark/contract'
import type { Answer, BodyInput, Query, QueryInput } from '@waymark/contract/schemas'

/** A body as a client sends it: a file is a Blob or File here, and what the server makes of it there. */
export type Sendable<T> = T extends UploadedFile
  ? Blob
  : T extends readonly unknown[]
    ? { [K in keyof T]: Sendable<T[K]> }
    : T extends object
      ? { [K in keyof T]: Sendable<T[K]> }
      : T

/** A query as a client sends it: what the server converts from text has its converted type. */
type Asked<In, Out> = {
  [K in keyof In]: unknown extends In[K] ? (K extends keyof Out ? Out[K] : never) : In[K]
}

/** What an operation takes: its query when it reads, its body when it writes. */
export type Input<N extends OperationName> = [BodyInput<N>] extends [undefined]
  ? [QueryInput<N>] extends [undefined]
    ? Record<string, never>
    : Asked<QueryInput<N>, Query<N>>
  : Sendable<BodyInput<N>>

/** The names of the operations that answer with pages of a list. */
export type ListName = {
  [N in OperationName]: Answer<N> extends { meta: { next_cursor: string | null } } ? N : never
}[OperationName]

/** One item of a list. */
export type Item<N extends ListName> = Answer<N> extends { data: readonly (infer I)[] } ? I : never
