import type { CountedDimension, VisitDimension } from '@waymark/contract'
import type { StoredClick } from '../batches/stored-click.ts'
import type { Interval } from './time-zone.ts'

/** Whose clicks, and of which links and pages. */
interface Scope {
  readonly workspaceUuid: string
  /** Links and pages; undefined: see the question. */
  readonly scope: readonly string[] | undefined
  /** Single clicks from before this moment are not used, even where they are still stored. */
  readonly keptFromMs: number
}

/** What clicks can be filtered by. */
export type FilterField = VisitDimension | 'source'

/** Plain data: the question may be answered in another thread. */
export interface FiguresQuery extends Scope {
  /** From the hour or day of this moment … */
  readonly fromMs: number
  /** … to the hour or day of this one, which is included. */
  readonly toMs: number
  readonly interval: Interval
  /** An IANA name. Points of the series and hours of the week follow it. */
  readonly timezone: string
  /** `link`: the values are uuids. */
  readonly by: CountedDimension | 'hour_of_week' | 'link' | undefined
  /** A click must have one of the values of every field given; '' is unknown. */
  readonly filters: ReadonlyMap<FilterField, ReadonlySet<string>>
  /** True: bots alone; false: without bots; undefined: both, counted separately. */
  readonly bot: boolean | undefined
}

export interface Tally {
  /** Without bots. */
  clicks: number
  /** Distinct visitors of each UTC day within what is asked, each counted where the first click was. Without bots. */
  uniques: number
  bots: number
}

export interface Figures {
  /** Every point of the period, empty ones too. */
  readonly series: readonly (Tally & { readonly atMs: number })[]
  /** The sum of the series. */
  readonly totals: Tally
  /** Most frequent first; '' is unknown. At most `MAX_VALUES`, and '(other)' for the rest. */
  readonly breakdown: readonly { readonly value: string; readonly clicks: number }[]
  /** False: sums were used, whose visitors were counted link by link. */
  readonly uniquesExact: boolean
}

export interface ClicksQuery extends Scope {
  readonly fromMs: number
  /** The first millisecond after the period. */
  readonly toMs: number
}

/** A single click as it may leave the server. */
export type ExportedClick = Omit<StoredClick, 'visitor'>

/** The questions that stored clicks answer. `contract.testing.ts` is the test of every implementation. */
export interface Statistics {
  /**
   * Clicks of a scope and period, grouped by at most one dimension. Without a scope: of all links, not of pages. Figures
   * older than the single clicks come from sums, unless there are filters.
   */
  figures(query: FiguresQuery): Promise<Figures>
  /**
   * Single clicks, oldest first. Without a scope: all of them, bots and clicks on pages too. Memory does not grow with the
   * number of clicks.
   */
  clicks(query: ClicksQuery): AsyncIterable<ExportedClick>
  /** Deletes some of what is stored for a workspace; false when nothing is left. Runs inside a write of the caller. */
  forget(workspaceUuid: string): Promise<boolean>
  /**
   * Replaces single clicks of UTC months that ended by this moment by their sums. May be stopped at any time, run on any
   * node and run again.
   */
  dropBefore(monthMs: number, signal?: AbortSignal): Promise<void>
}
