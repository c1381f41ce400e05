import type { Waymark } from './waymark.ts'

const EVERY_MS = 50

export interface MemoryWatch {
  /** The most that was seen, in megabytes. */
  peak(): number
  stop(): void
}

/** Looks at the resident memory of a server from outside, again and again. */
export function watchMemory(waymark: Waymark): MemoryWatch {
  let peak = 0
  const look = (): void => {
    // It may be starting over just now.
    void waymark.residentMegabytes().then(
      (megabytes) => (peak = Math.max(peak, megabytes)),
      () => {},
    )
  }
  const timer = setInterval(look, EVERY_MS)
  return { peak: () => peak, stop: () => clearInterval(timer) }
}
