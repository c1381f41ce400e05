import type { Interval, Range } from '../../api/analytics.ts'
import { DAY_MS } from '../../ui/times.ts'

const HOUR = 3_600_000

/** The preset date ranges. */
export const presets = [
  { value: 'today', label: 'Today', days: 1, interval: 'hour' },
  { value: '24h', label: 'Last 24 hours', days: 1, interval: 'hour' },
  { value: '7d', label: 'Last 7 days', days: 7, interval: 'day' },
  { value: '30d', label: 'Last 30 days', days: 30, interval: 'day' },
  { value: 'month', label: 'This month', days: 31, interval: 'day' },
  { value: '90d', label: 'Last 90 days', days: 90, interval: 'week' },
  { value: '12m', label: 'Last 12 months', days: 365, interval: 'week' },
  { value: 'all', label: 'All time', days: 3650, interval: 'month' },
] as const

/** No click is older. */
export const FIRST_DAY = '2020-01-01'

export type Preset = (typeof presets)[number]['value']

/** What is selected in the range picker. */
export interface RangeChoice {
  readonly preset: Preset | 'custom'
  readonly from: string
  readonly to: string
  readonly interval: Interval
}

/** Possible intervals for a range of this many days: with enough points, but not too many to draw. */
export const intervalsFor = (days: number): Interval[] => {
  if (days <= 2) return ['hour']
  if (days <= 14) return ['hour', 'day']
  if (days <= 60) return ['day', 'week']
  if (days <= 120) return ['day', 'week', 'month']
  return days <= 400 ? ['week', 'month'] : ['month']
}

const two = (value: number): string => String(value).padStart(2, '0')

/** The date some days ago, in the viewer's time zone. */
export const dateBefore = (days: number, nowMs = Date.now()): string => {
  const now = new Date(nowMs)
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * From a round moment until now. Round, so that the query stays the same from one refresh to the next; the current hour or day
 * counts as the last one of the range.
 */
export const rangeOf = (preset: Preset, interval?: Interval, nowMs = Date.now()): Range => {
  const found = presetOf(preset)
  return { from: startOf(preset, nowMs), interval: interval ?? found.interval }
}

const presetOf = (preset: Preset) => presets.find(({ value }) => value === preset) ?? presets[3]

const startOf = (preset: Preset, nowMs: number): string => {
  if (preset === 'all') return FIRST_DAY
  if (preset === '24h') return new Date(Math.floor(nowMs / HOUR) * HOUR - 23 * HOUR).toISOString()
  if (preset === 'month') return dateBefore(new Date(nowMs).getDate() - 1, nowMs)
  return dateBefore(presetOf(preset).days - 1, nowMs)
}

export const daysOf = (preset: Preset): number => presetOf(preset).days

/** A range between two days, inclusive. */
export const customRange = (from: string, to: string, interval: Interval): Range => ({ from, to, interval })

export const daysBetween = (from: string, to: string): number =>
  Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1)
