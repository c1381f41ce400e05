export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** The first millisecond of the day, UTC. */
export const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS

let lastMs = 0
let lastText = new Date(lastMs).toISOString()

/** A time as responses write it. A new row has the same time twice, so the last result is kept. */
export const isoTime = (atMs: number): string => {
  if (atMs === lastMs) return lastText
  lastText = new Date(atMs).toISOString()
  lastMs = atMs
  return lastText
}

/** The same for a time that may be absent. */
export const isoTimeOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs))
