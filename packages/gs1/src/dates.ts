const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** What is wrong with a date `YYMMDD` or `YYYYMMDD`. With `mayLackDay`, day 00 stands for the whole month. */
export function dayFault(date: string, mayLackDay = false): string | undefined {
  const [year, month, day] = [date.slice(0, -4), date.slice(-4, -2), date.slice(-2)].map(Number)
  const days = DAYS[(month ?? 0) - 1]
  if (days === undefined) return 'invalid month'
  const last = month === 2 && !isLeap(year ?? 0) ? 28 : days
  if (day === undefined || day > last || (day === 0 && !mayLackDay)) return 'invalid day of the month'
  return undefined
}

/** Years of two digits are those of 50 years before and after now: 00 is 2000, a leap year. */
const isLeap = (year: number): boolean =>
  year % 4 === 0 && (year < 100 || year % 100 !== 0 || year % 400 === 0)

/** What is wrong with the time of a day: `HH`, `HHMM`. */
export function timeFault(time: string): string | undefined {
  if (Number(time.slice(0, 2)) > 23) return 'invalid hour'
  return Number(time.slice(2)) > 59 ? 'invalid minute' : undefined
}
