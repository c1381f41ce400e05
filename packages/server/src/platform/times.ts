/** A time as answers write it. */
export const isoTime = (atMs: number): string => new Date(atMs).toISOString()

/** The same for a time that may be absent. */
export const isoTimeOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs))
