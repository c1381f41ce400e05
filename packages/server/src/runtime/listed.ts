/** One page of a list, as services return it. */
export interface Listed<T> {
  readonly items: T[]
  readonly total: number
  readonly nextCursor: string | null
}
