import type { dimensions, VisitDimension } from '@waymark/contract'
import type { StoredClick } from '../batches/stored-click.ts'
import type { Interval } from './time-zone.ts'

/** The workspace, and the links and pages. */
interface Scope {
  readonly workspaceUuid: string
  /** Links and pages; undefined: see the method. */
  readonly scope: readonly string[] | undefined
  /** Single clicks from before this moment are not used, even if they are still stored. */
  readonly retainedFromMs: number
}

/** Fields that clicks can be filtered by. */
export type FilterField = VisitDimension | 'source'

/** What clicks can be broken down by. The values of `link` are uuids. */
export type Dimension = (typeof dimensions)[number]

/** Plain data, because another thread may run the query. */
export interface FiguresQuery extends Scope {
  /** From the hour or day of this moment … */
  readonly fromMs: number
  /** … to the hour or day of this one, which is included. */
  readonly toMs: number
  /** The period from the hour or day of this moment up to the one above is its previous period; undefined: none. */
  readonly previousFromMs: number | undefined
  readonly interval: Interval
  /** An IANA name. The points of the series and the hours of the week use it. */
  readonly timezone: string
  readonly by: readonly Dimension[]
  /** A click must match one of the values of every given field; '' is unknown. */
  readonly filters: ReadonlyMap<FilterField, ReadonlySet<string>>
  /** True: only bots; false: no bots; undefined: both, counted separately. */
  readonly bot: boolean | undefined
}

export interface Tally {
  /** Without bots. */
  clicks: number
  /** Distinct visitors of each UTC day, counted at the first click. Without bots. */
  uniques: number
  bots: number
}

export interface Series {
  /** Every point of the period, even if empty. */
  readonly series: readonly (Tally & { readonly atMs: number })[]
  /** The sum of the series. */
  readonly totals: Tally
}

/** Most frequent first; '' is unknown. At most `MAX_VALUES`, then '(other)' for the rest. */
export type Breakdown = readonly { readonly value: string; readonly clicks: number }[]

export interface Figures extends Series {
  /** Undefined if none was requested. */
  readonly previous: Series | undefined
  /** One for each dimension of the query. */
  readonly breakdowns: ReadonlyMap<Dimension, Breakdown>
  /** False if sums were used, which count visitors per link. */
  readonly uniquesExact: boolean
}

export interface ClicksQuery extends Scope {
  readonly fromMs: number
  /** The first millisecond after the period. */
  readonly toMs: number
}

/** A single click as it may leave the server. */
export type ExportedClick = Omit<StoredClick, 'visitor'>

/** Queries and changes of stored clicks. `contract.testing.ts` tests every implementation. */
export interface Statistics {
  /**
   * Clicks of a scope and period, grouped by any number of dimensions. Without a scope: of all links, but not of pages. Sums
   * are used where single clicks are no longer stored, unless there are filters. Clicks are read once, whatever the number
   * of dimensions and with a previous period.
   */
  figures(query: FiguresQuery): Promise<Figures>
  /**
   * Single clicks, oldest first. Without a scope: all of them, including bots and clicks on pages. Memory usage does not
   * depend on the number of clicks.
   */
  clicks(query: ClicksQuery): AsyncIterable<ExportedClick>
  /** Deletes part of a workspace's data; false when nothing is left. Runs inside the caller's write. */
  forget(workspaceUuid: string): Promise<boolean>
  /**
   * Replaces single clicks of UTC months that ended by this moment by their sums. Can be stopped at any time, run on any
   * node and repeated.
   */
  dropBefore(monthMs: number, signal?: AbortSignal): Promise<void>
}
