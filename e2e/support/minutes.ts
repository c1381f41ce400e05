const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** What the longest test about one window may take, and more. */
const ENOUGH_MS = 30_000

/** Waits for the next minute if there is little left of this one: a count that begins anew would prove nothing. */
export const untilRoomInMinute = (): Promise<void> => untilRoomIn(MINUTE_MS)

/** The same for what is counted by the hour. */
export const untilRoomInHour = (): Promise<void> => untilRoomIn(HOUR_MS)

async function untilRoomIn(windowMs: number): Promise<void> {
  const left = windowMs - (Date.now() % windowMs)
  if (left < ENOUGH_MS) await new Promise((resolve) => setTimeout(resolve, left + 50))
}
