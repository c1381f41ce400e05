import { LRUCache } from 'lru-cache'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'

const WEEK_MS = 7 * DAY_MS
/** 5 January 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS

export type Interval = 'hour' | 'day' | 'week' | 'month'

const MINUTE_MS = 60_000
/** Leads into the next interval, whatever the lengths of days and months. */
const INTO_NEXT_MS = { day: 36 * HOUR_MS, week: 7.5 * DAY_MS, month: 45 * DAY_MS } as const

/** A calendar: where hours, days, weeks and months begin. Weeks begin on Monday. */
export interface TimeZone {
  readonly name: string
  /** Whether its offset from UTC is a whole number of hours throughout the period. */
  hasWholeHours(fromMs: number, toMs: number): boolean
  /** First millisecond of the interval that contains a moment. */
  startOf(atMs: number, interval: Interval): number
  /** First millisecond of a date, which is given as its first millisecond in UTC. */
  startOfDate(utcMs: number): number
  /** First millisecond of the next interval. */
  endOf(atMs: number, interval: Interval): number
  /** Monday from 00:00 is 0, Sunday from 23:00 is 167. */
  hourOfWeek(atMs: number): number
}

/** A name can be spelled in many ways, so the number of entries must be limited. */
const MAX_ZONES = 100
/** Ten years of days. */
const MAX_OFFSETS = 4_000

const zones = new LRUCache<string, TimeZone>({ max: MAX_ZONES })

/**
 * A time zone by its name; throws a RangeError for a name that is not an IANA time zone. Zones are cached with their offsets:
 * finding those of a year takes longer than adding up its clicks.
 */
export function openTimeZone(name: string): TimeZone {
  const known = zones.get(name)
  if (known !== undefined) return known
  const zone = newTimeZone(name)
  zones.set(name, zone)
  return zone
}

function newTimeZone(name: string): TimeZone {
  const offsetAt = name === 'UTC' ? () => 0 : offsets(name)
  // If clocks are put back over midnight, a date begins when they show it for the first time; if they are put forward over
  // it, with the first moment after it.
  const utcOf = (local: number): number => {
    const [before, after] = [local - offsetAt(local - DAY_MS), local - offsetAt(local + DAY_MS)]
    const earlier = Math.min(before, after)
    return earlier + offsetAt(earlier) >= local ? earlier : Math.max(before, after)
  }
  const zone: TimeZone = {
    name,
    hasWholeHours(fromMs, toMs) {
      for (let at = fromMs; at < toMs + WEEK_MS; at += WEEK_MS)
        if (offsetAt(Math.min(at, toMs)) % HOUR_MS !== 0) return false
      return true
    },
    startOf(atMs, interval) {
      const local = atMs + offsetAt(atMs)
      // An hour that clocks show twice is two hours: they differ by the moment.
      if (interval === 'hour') return atMs - modulo(local, HOUR_MS)
      return utcOf(localStart(local, interval))
    },
    startOfDate: utcOf,
    endOf(atMs, interval) {
      const start = zone.startOf(atMs, interval)
      return interval === 'hour' ? start + HOUR_MS : zone.startOf(start + INTO_NEXT_MS[interval], interval)
    },
    hourOfWeek(atMs) {
      const local = atMs + offsetAt(atMs) - FIRST_MONDAY_MS
      return Math.floor(modulo(local, WEEK_MS) / HOUR_MS)
    },
  }
  return zone
}

function localStart(local: number, interval: Exclude<Interval, 'hour'>): number {
  if (interval === 'day') return local - modulo(local, DAY_MS)
  if (interval === 'week') return local - modulo(local - FIRST_MONDAY_MS, WEEK_MS)
  const at = new Date(local)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth())
}

/** Caches offsets per day, because a lookup takes microseconds: a day that begins and ends with one offset has no other. */
function offsets(name: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  const known = new Map<number, number>()
  const ask = (atMs: number): number => {
    let offset = known.get(atMs)
    if (offset !== undefined) return offset
    if (known.size >= MAX_OFFSETS) known.clear()
    offset = readOffset(format.format(atMs))
    known.set(atMs, offset)
    return offset
  }
  return (atMs) => {
    const day = Math.floor(atMs / DAY_MS) * DAY_MS
    const offset = ask(day)
    return offset === ask(day + DAY_MS) ? offset : ask(Math.floor(atMs / MINUTE_MS) * MINUTE_MS)
  }
}

/** Parses `11/15/2026, GMT+05:30`; Greenwich itself is `GMT`. */
function readOffset(text: string): number {
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text) ?? []
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS
  return sign === '-' ? -offset : offset
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
