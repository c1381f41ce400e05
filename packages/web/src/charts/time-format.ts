import type { Interval } from '../api/analytics.ts'

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options)

// A formatter takes a hundred times as long to create as a date to format, and a chart formats hundreds.
const formats: Record<Interval, Record<'short' | 'long', Intl.DateTimeFormat>> = {
  hour: {
    short: format({ hour: '2-digit', minute: '2-digit' }),
    long: format({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  },
  day: {
    short: format({ day: 'numeric', month: 'short' }),
    long: format({ weekday: 'long', day: 'numeric', month: 'long' }),
  },
  week: {
    short: format({ day: 'numeric', month: 'short' }),
    long: format({ day: 'numeric', month: 'long', year: 'numeric' }),
  },
  month: {
    short: format({ month: 'short', year: '2-digit' }),
    long: format({ month: 'long', year: 'numeric' }),
  },
}

/** The name of a point in the viewer's time zone, in which statistics are counted. */
export const pointLabel = (at: string, interval: Interval, length: 'short' | 'long'): string => {
  const text = formats[interval][length].format(new Date(at))
  return interval === 'week' && length === 'long' ? `Week of ${text}` : text
}
