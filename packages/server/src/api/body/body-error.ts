const STATUS = {
  too_large: 413,
  unsupported_type: 415,
  broken_multipart: 400,
  too_many_parts: 400,
  malformed: 400,
  too_deep: 400,
  too_many_values: 400,
  not_an_object: 400,
  /** The client disconnected: no response is read, and it must not count as an internal error. */
  aborted: 400,
  too_slow: 408,
  /** Not the client's fault: other uploads fill the room for them. */
  no_room: 503,
} as const

export type BodyFaultCode = keyof typeof STATUS

/** Everything a client can do wrong with a body; any other error from this folder is a fault of ours. */
export class BodyError extends Error {
  readonly code: BodyFaultCode
  readonly status: 400 | 408 | 413 | 415 | 503

  constructor(code: BodyFaultCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'BodyError'
    this.code = code
    this.status = STATUS[code]
  }
}
