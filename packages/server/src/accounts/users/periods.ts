/** One period of a plan; the end is the start of the next. */
export interface Period {
  readonly startMs: number
  readonly endMs: number
}

const monthsOf = { month: 1, year: 12 } as const

/** The same day and time so many months later; the 31st becomes the last day of a shorter month. */
const addMonths = (startMs: number, months: number): number => {
  const date = new Date(startMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}

/** Every period of a plan that has begun by now. Each counts from the first, so that the 31st comes back. */
export function periodsUntil(startedAtMs: number, interval: 'month' | 'year', nowMs: number): Period[] {
  const periods: Period[] = []
  const step = monthsOf[interval]
  for (let n = 0; ; n++) {
    const startMs = addMonths(startedAtMs, n * step)
    if (n > 0 && startMs > nowMs) return periods
    periods.push({ startMs, endMs: addMonths(startedAtMs, (n + 1) * step) })
  }
}
