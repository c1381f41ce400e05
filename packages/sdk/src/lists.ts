/** One page of a list. */
interface PageOf<T> {
  readonly data: readonly T[]
  readonly meta: { readonly next_cursor: string | null }
}

// A list that is walked through asks for the largest pages: fewer requests count against the rate limit.
const LARGEST_PAGE = 1000

/**
 * A request for a list. Await it to get one page, or iterate over it with `for await` to get every item, page by
 * page as they are needed. Nothing is sent before either.
 */
export interface ListRequest<A extends PageOf<unknown>> extends Promise<A>, AsyncIterable<A['data'][number]> {
  /** Every page, each as the server returns it. `meta.next_cursor` is where another call can go on. */
  pages(): AsyncIterable<A>
}

/** Sends the query for one page. */
export type AskPage<A> = (query: Readonly<Record<string, unknown>>) => Promise<A>

class LazyList<A extends PageOf<unknown>> implements ListRequest<A> {
  readonly [Symbol.toStringTag] = 'ListRequest'
  readonly #ask: AskPage<A>
  readonly #query: Readonly<Record<string, unknown>>
  #first: Promise<A> | undefined

  constructor(ask: AskPage<A>, query: Readonly<Record<string, unknown>>) {
    this.#ask = ask
    this.#query = query
  }

  #page(): Promise<A> {
    return (this.#first ??= this.#ask(this.#query))
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a promise that starts when it is awaited
  then<R = A, E = never>(
    resolved?: ((response: A) => R | PromiseLike<R>) | null,
    rejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#page().then(resolved, rejected)
  }

  catch<E = never>(rejected?: ((reason: unknown) => E | PromiseLike<E>) | null): Promise<A | E> {
    return this.#page().catch(rejected)
  }

  finally(settled?: (() => void) | null): Promise<A> {
    return this.#page().finally(settled)
  }

  async *pages(): AsyncGenerator<A, void> {
    let query: Readonly<Record<string, unknown>> = { limit: LARGEST_PAGE, ...defined(this.#query) }
    for (;;) {
      const page = await this.#ask(query)
      yield page
      if (page.meta.next_cursor === null) return
      query = { ...query, cursor: page.meta.next_cursor }
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<A['data'][number], void> {
    for await (const page of this.pages()) yield* page.data as readonly Awaited<A['data'][number]>[]
  }
}

const defined = (query: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

/** A list that can be awaited for one page, or iterated over for all. */
export const listRequest = <A extends PageOf<unknown>>(
  ask: AskPage<A>,
  query: Readonly<Record<string, unknown>>,
): ListRequest<A> => new LazyList(ask, query)
