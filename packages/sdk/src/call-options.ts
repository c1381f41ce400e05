/** How far an upload has come. */
export interface UploadProgress {
  /** Bytes sent so far. */
  readonly loaded: number
  /** Bytes in all. */
  readonly total: number
}

/** Options of one call. */
export interface CallOptions {
  /** Identifies this write: sent again, it is not done again. Every write that brings none gets one. */
  readonly idempotencyKey?: string | undefined
  /**
   * Edit only if the resource has not been edited since: its `updated_at`, or the resource itself. If it has, the
   * call throws a `PreconditionError` whose `data` is the resource as it is now.
   */
  readonly ifMatch?: string | { readonly updated_at: string } | undefined
  /** Ends the call, whatever it is doing. It then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How long the whole call may take, with all its attempts and waits. */
  readonly deadlineMs?: number | undefined
  /** Reports how far an upload has come. */
  readonly onUploadProgress?: ((progress: UploadProgress) => void) | undefined
}
