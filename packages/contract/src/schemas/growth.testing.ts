/*
 * Whether work takes linear time: it is done for a text and for one four times as long. Linear work grows by 4, quadratic by
 * 16: the limit is in between, and is compared with the shortest of several runs, because garbage collection and compilation
 * can only make a run longer. A long text needs further runs only while it is above the limit; the short one has two from the
 * start, because its first run also compiles.
 */

export const GROWTH_LIMIT = 8
/** Added to the shorter time, because shorter durations are below the resolution of the clock. */
const CLOCK_NOISE_MS = 0.05
const MANY_RUNS = 60

/** Processor time of this process: a busy machine slows work down, but does not increase its cost. */
const durationOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The ratio of the durations for a text four times as long. */
export const growthOf = (
  work: (text: string) => void,
  textOf: (length: number) => string,
  length: number,
): number => {
  const [short, long] = [textOf(length), textOf(4 * length)]
  let shortMs = durationOf(() => work(short))
  let longMs = Infinity
  const growth = (): number => longMs / (shortMs + CLOCK_NOISE_MS)
  for (let run = 0; run < MANY_RUNS && growth() > GROWTH_LIMIT; run++) {
    shortMs = Math.min(
      shortMs,
      durationOf(() => work(short)),
    )
    longMs = Math.min(
      longMs,
      durationOf(() => work(long)),
    )
    // Clearly too slow: further runs would keep the test running for minutes.
    if (run >= 3 && longMs > 5_000) break
  }
  return growth()
}

/** A text of some length: a prefix, a piece repeated, a suffix. */
export const repeated =
  (prefix: string, pump: string, suffix: string) =>
  (length: number): string =>
    prefix + pump.repeat(Math.ceil((length - prefix.length - suffix.length) / pump.length)) + suffix
