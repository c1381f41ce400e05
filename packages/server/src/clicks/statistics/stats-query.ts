import { countedDimensions } from '@waymark/contract'
import type { FilterField } from '../batches/batch-scan.ts'
import type { Dimension } from '../counting/day-texts.ts'
import { type Interval, openTimeZone, type TimeZone } from './time-zone.ts'

export type Breakdown = Dimension | 'hour_of_week'

export interface StatsQuery {
  readonly userId: string
  /** Links and pages; undefined: all links of the user. */
  readonly scope: readonly string[] | undefined
  /** From this moment's hour or day … */
  readonly fromMs: number
  /** … to this moment's, which is included. */
  readonly toMs: number
  readonly interval: Interval
  readonly by: Breakdown | undefined
  readonly zone?: TimeZone
  readonly filters?: ReadonlyMap<FilterField, ReadonlySet<string>>
  readonly bot?: boolean | undefined
  /** Single clicks are there from this moment on. */
  readonly keptFromMs?: number
}

export interface Range {
  readonly fromMs: number
  /** The first millisecond after it. */
  readonly toMs: number
}

export const UTC = openTimeZone('UTC')
export const NO_FILTERS: ReadonlyMap<FilterField, ReadonlySet<string>> = new Map()
/** Past this, weeks that were added up take less time than the days of each link. */
const MAX_SCOPES_WITHOUT_WEEKS = 5
/** Past this, so do the clicks of the whole account. */
export const MAX_SCOPES = 50

/** Whether so much is read that it takes its turn with other such questions. */
export const isExpensive = (query: StatsQuery): boolean => needsScan(query) || usesWeeks(query)

/** Whether many single clicks have to be gone through. */
export function needsScan(query: StatsQuery): boolean {
  return isFiltered(query) || (query.scope?.length ?? 0) > MAX_SCOPES
}

/** Whether weeks are read, as far as they have been added up. */
export function usesWeeks(query: StatsQuery): boolean {
  return !isFiltered(query) && (query.scope?.length ?? 0) > MAX_SCOPES_WITHOUT_WEEKS
}

/** Whether weeks are used if they are in memory: days of a link with many clicks take longer. */
export function usesKnownWeeks(query: StatsQuery): boolean {
  return !isFiltered(query) && query.scope !== undefined
}

export function isFiltered({ filters = NO_FILTERS, bot }: StatsQuery): boolean {
  return filters.size > 0 || bot !== undefined
}

export const columnOf = (by: Breakdown | undefined) => countedDimensions.find((dimension) => dimension === by)

export const needsHours = ({ interval, by, zone = UTC }: StatsQuery): boolean =>
  interval === 'hour' || by === 'hour_of_week' || zone.name !== 'UTC'
