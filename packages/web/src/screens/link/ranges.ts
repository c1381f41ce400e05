import type { Interval, Range } from '../../api/analytics.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The preset date ranges. */
export const presets = [
  { value: '24h', label: '24 hours', spanMs: 24 * HOUR, interval: 'hour' },
  { value: '7d', label: '7 days', spanMs: 7 * DAY, interval: 'day' },
  { value: '30d', label: '30 days', spanMs: 30 * DAY, interval: 'day' },
  { value: '90d', label: '90 days', spanMs: 90 * DAY, interval: 'week' },
  { value: '12m', label: '12 months', spanMs: 365 * DAY, interval: 'week' },
] as const

export type Preset = (typeof presets)[number]['value']

/** What is selected in the range picker. */
export interface RangeChoice {
  readonly preset: Preset | 'custom'
  readonly from: string
  readonly to: string
  readonly interval: Interval
}

/** What one point may stand for in a range of this many days: enough points to see something, not too many to draw. */
export const intervalsFor = (days: number): Interval[] => {
  if (days <= 2) return ['hour']
  if (days <= 14) return ['hour', 'day']
  if (days <= 60) return ['day', 'week']
  return days <= 120 ? ['day', 'week', 'month'] : ['week', 'month']
}

/**
 * From a round moment until now. Round, so that the question stays the same from one refresh to the next; the range
 * counts the running hour or day as its last.
 */
export const rangeOf = (preset: Preset, interval?: Interval, nowMs = Date.now()): Range => {
  const found = presets.find(({ value }) => value === preset) ?? presets[2]
  const unit = found.interval === 'hour' ? HOUR : DAY
  const from = Math.floor(nowMs / unit) * unit - found.spanMs + unit
  return { from: new Date(from).toISOString(), interval: interval ?? found.interval }
}

export const daysOf = (preset: Preset): number =>
  (presets.find(({ value }) => value === preset) ?? presets[2]).spanMs / DAY

/** A range between two days, both included. */
export const customRange = (from: string, to: string, interval: Interval): Range => ({ from, to, interval })

export const daysBetween = (from: string, to: string): number =>
  Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1)
