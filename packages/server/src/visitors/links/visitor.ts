/** The parts of a request that a destination may depend on. */
export interface Visitor {
  readonly headers: {
    readonly 'user-agent'?: string | undefined
    readonly 'accept-language'?: string | undefined
    readonly referer?: string | undefined
  }
  /** The part after the question mark, unchanged. */
  readonly query: string
  /** The part after `/{code}/` in the path, unchanged; '' if empty. */
  readonly rest: string
  readonly address: string
  /** Only for simulated visits; otherwise derived from the address. */
  readonly country?: string
  /** Only for simulated visits; otherwise derived from the user agent. */
  readonly agent?: { readonly device?: string; readonly system?: string; readonly browser?: string }
}
