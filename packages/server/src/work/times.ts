export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** The first millisecond of the UTC day. */
export const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS

let lastMs = 0
let lastText = new Date(lastMs).toISOString()

/** A time as in responses. The last result is cached, because a new row has the same time twice. */
export const isoTime = (atMs: number): string => {
  if (atMs === lastMs) return lastText
  lastText = new Date(atMs).toISOString()
  lastMs = atMs
  return lastText
}

/** Like `isoTime`, for a time that may be null. */
export const isoTimeOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs))
