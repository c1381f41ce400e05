import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../work/times.ts'
import { addTally, type Tally } from '../counting/day-texts.ts'
import { QUARTERS_OF_A_PART, TALLY_VALUES } from '../weeks/week-sums.ts'
import { QUARTER_PARTS, WEEK_MS, weekOf } from '../weeks/week.ts'
import type { StatsQuery } from './stats-query.ts'
import { openTimeZone } from './time-zone.ts'
import { tallyPlan } from './week-tallies.ts'

const ZONES = [
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/Los_Angeles',
  'America/St_Johns',
]
const FIRST_WEEK = weekOf(Date.UTC(2026, 0, 1))

const queryOf = (zone: string, fields: Partial<StatsQuery> = {}): StatsQuery => ({
  userId: '',
  scope: [],
  fromMs: FIRST_WEEK,
  toMs: FIRST_WEEK + 53 * WEEK_MS,
  interval: 'day',
  by: undefined,
  zone: openTimeZone(zone),
  ...fields,
})

/** Sums by quarter of an hour, a part after the other, and what they add up to by day. */
function sumsOf(counts: readonly number[]): Map<string, Float64Array> {
  const days = new Float64Array(7 * TALLY_VALUES)
  const sums = new Map([['days', days]])
  QUARTER_PARTS.forEach((part, n) => {
    const own = new Float64Array(7 * QUARTERS_OF_A_PART * TALLY_VALUES)
    own.forEach((_, at) => {
      const day = Math.floor(at / (QUARTERS_OF_A_PART * TALLY_VALUES))
      own[at] = counts[(at * (n + 1)) % counts.length]!
      days[day * TALLY_VALUES + (at % TALLY_VALUES)]! += own[at]
    })
    sums.set(part, own)
  })
  return sums
}

/** What a question finds, by day of its zone. */
function daysOf(question: StatsQuery, week: number, sums: Map<string, Float64Array>, zone: string) {
  const plan = tallyPlan(question, week)
  const days = new Map<number, Tally>()
  const ofParts = plan.parts.map((part) => sums.get(part)!)
  plan.add(week, ofParts, (atMs, tally) => {
    const day = openTimeZone(zone).startOf(atMs, 'day')
    const sum = days.get(day) ?? { clicks: 0, uniques: 0, bots: 0 }
    addTally(sum, tally)
    days.set(day, sum)
  })
  return new Map([...days].filter(([, { clicks, bots }]) => clicks + bots > 0))
}

test('days of a zone from few parts of a week are those from all quarters of an hour', () => {
  const counts = fc.array(fc.nat(5), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.nat(52), counts, (zone, number, given) => {
      const [week, sums] = [FIRST_WEEK + number * WEEK_MS, sumsOf(given)]
      const precise = daysOf(queryOf(zone, { by: 'hour_of_week' }), week, sums, zone)
      expect(daysOf(queryOf(zone), week, sums, zone)).toEqual(precise)
    }),
    { numRuns: 100 },
  )
})

test.each([
  ['UTC', ['days']],
  ['Asia/Kolkata', ['days', 'quarters_18', 'quarters_21']],
  ['Asia/Kathmandu', ['days', 'quarters_18', 'quarters_21']],
  ['Europe/Berlin', ['days', 'quarters_21']],
  ['America/New_York', ['days', 'quarters_0', 'quarters_3']],
  ['America/Los_Angeles', ['days', 'quarters_0', 'quarters_3', 'quarters_6']],
  ['Pacific/Auckland', ['days', 'quarters_0', 'quarters_3', 'quarters_6', 'quarters_9']],
])('few parts tell the days of %s', (zone, parts) => {
  expect(tallyPlan(queryOf(zone), weekOf(Date.UTC(2026, 0, 15))).parts).toEqual(parts)
})

test('all quarters of an hour are read where days begin at another time in the middle of the week', () => {
  // Clocks change on Sunday, the last day of the week.
  const change = weekOf(Date.UTC(2026, 2, 29, 12))
  expect(tallyPlan(queryOf('Europe/Berlin'), change + WEEK_MS).parts).toEqual(['days', 'quarters_21'])
  expect(tallyPlan(queryOf('Europe/Berlin'), change).parts).toEqual(QUARTER_PARTS)
  expect(tallyPlan(queryOf('UTC', { interval: 'hour' }), change).parts).toEqual(QUARTER_PARTS)
  expect(change + 7 * DAY_MS).toBeGreaterThan(Date.UTC(2026, 2, 29, 1))
})
