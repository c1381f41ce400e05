import type { Interval } from '../api/analytics.ts'

const formats: Record<Interval, { short: Intl.DateTimeFormatOptions; long: Intl.DateTimeFormatOptions }> = {
  hour: {
    short: { hour: '2-digit', minute: '2-digit' },
    long: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  },
  day: {
    short: { day: 'numeric', month: 'short' },
    long: { weekday: 'long', day: 'numeric', month: 'long' },
  },
  week: {
    short: { day: 'numeric', month: 'short' },
    long: { day: 'numeric', month: 'long', year: 'numeric' },
  },
  month: { short: { month: 'short', year: '2-digit' }, long: { month: 'long', year: 'numeric' } },
}

/** The name of a point in the viewer's time zone, in which statistics are counted. */
export const pointLabel = (at: string, interval: Interval, length: 'short' | 'long'): string => {
  const text = new Intl.DateTimeFormat(undefined, formats[interval][length]).format(new Date(at))
  return interval === 'week' && length === 'long' ? `Week of ${text}` : text
}
