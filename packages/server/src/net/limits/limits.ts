import type { Taken } from './windows.ts'

/** Requests per minute of a key, an address, a session; or whatever else is counted in windows of time. */
export interface Limits {
  /**
   * Counts one request, or as many units as it costs; a negative cost gives back. Never fails and never hangs: without Redis, or the primary, this
   * process counts alone.
   */
  take(key: string, limit: number, cost?: number, windowMs?: number): Promise<Taken>
  /** Why counts are not shared with other nodes right now, if they should be. */
  fault(): string | undefined
  close(): Promise<void>
}
