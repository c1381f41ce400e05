const MINUTE_MS = 60_000
/** What the longest test about one window may take, and more. */
const ENOUGH_MS = 30_000

/** Waits for the next minute if there is little left of this one: a count that begins anew would prove nothing. */
export async function untilRoomInMinute(): Promise<void> {
  const left = MINUTE_MS - (Date.now() % MINUTE_MS)
  if (left < ENOUGH_MS) await new Promise((resolve) => setTimeout(resolve, left + 50))
}
