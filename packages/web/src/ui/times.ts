const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export const DAY_MS = 86_400_000

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** Relative time, while that is more useful than a date. */
export const ago = (iso: string, nowMs = Date.now()): string => {
  const difference = Date.parse(iso) - nowMs
  if (Math.abs(difference) > 14 * DAY_MS) return day.format(new Date(iso))
  for (const [unit, ms] of units)
    if (Math.abs(difference) >= ms) return relative.format(Math.round(difference / ms), unit)
  return 'just now'
}

export const dayOf = (iso: string): string => day.format(new Date(iso))
export const momentOf = (iso: string): string => moment.format(new Date(iso))
