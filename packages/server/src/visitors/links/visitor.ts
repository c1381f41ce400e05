/** What a destination may depend on, as the request tells it. */
export interface Visitor {
  readonly headers: {
    readonly 'user-agent'?: string | undefined
    readonly 'accept-language'?: string | undefined
    readonly referer?: string | undefined
  }
  /** What follows the question mark, as it was sent. */
  readonly query: string
  /** What follows `/{code}/` in the path, as it was sent; '' for nothing. */
  readonly rest: string
  readonly address: string
  /** Of a visitor who is only described; otherwise the address tells. */
  readonly country?: string
  /** Of a visitor who is only described; otherwise the user agent tells. */
  readonly agent?: { readonly device?: string; readonly system?: string; readonly browser?: string }
}
