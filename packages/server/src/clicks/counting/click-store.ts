import type { EnrichedClick } from './enrich.ts'
import type { Owner } from '../batches/user-days.ts'
import { DAY_MS } from '../../work/times.ts'

export interface ClickBatch {
  readonly file: string
  /** The part of the file these clicks were read from. */
  readonly from: number
  readonly to: number
  readonly clicks: readonly EnrichedClick[]
  /** What the batch adds to links and pages is written down, and added with that of other batches by `settle`. */
  readonly totalsWait?: boolean
  /** Clicks of the same part that cannot be stored. */
  readonly setAside?: { readonly clicks: readonly EnrichedClick[]; readonly reason: string }
  /** Only to see whether it can be stored: the transaction is rolled back. */
  readonly isTrial?: boolean
}

export interface OpenDay {
  readonly userKey: number
  readonly day: number
}

export interface FilePosition {
  readonly position: number
  readonly finished: boolean
}

export interface Written {
  readonly counted: number
  /** Of links that are no more. */
  readonly dropped: number
  /** Users and days that got a batch. */
  readonly batches: readonly OpenDay[]
  /** Whom the links and pages of the batch belong to. */
  readonly owners: ReadonlyMap<string, Owner>
}

/** Where the reader of the spool puts what it read. Runs beside the server, on a connection of its own. */
export interface ClickStore {
  /** Writing is the work of another process, the database's. */
  readonly writesElsewhere: boolean
  /** How many clicks a batch should have at most, for now. */
  readonly mostClicks: number
  /** How far a file is counted; makes its row if there is none. */
  position(file: string): Promise<FilePosition>
  /** Counts the batch and moves the position in one transaction; `undefined` if another has moved it meanwhile. */
  write(batch: ClickBatch): Promise<Written | undefined>
  /** Adds to links and pages what waits for it, a piece at a time; false when nothing is left. */
  settle(): Promise<boolean>
  /** From now on the file counts as read, even if it cannot be deleted; older such notes are dropped. */
  finish(file: string, nowMs: number): Promise<void>
  /** The oldest day before this one that is not added up, of one user; these are left out. */
  oldestOpenDay(beforeDay: number, except: readonly OpenDay[]): Promise<OpenDay | undefined>
  /** The ids of the batches of a day that are not added up. */
  openBatches(openDay: OpenDay): Promise<string[]>
  /** Makes one batch of some small ones. When closing: of any, and adds it up. `id`: this one alone. */
  merge(openDay: OpenDay, closing: boolean, id?: string): Promise<void>
  /** Takes a batch that cannot be read out of the way. */
  setAside(openDay: OpenDay, id: string, reason: string): Promise<void>
  /** Adds up a week of an account, for questions about many links; false when none is due. */
  sumWeek(): Promise<boolean>
  /** SQLite: brings the write-ahead log to the database, so that writes of the server have less of it to do. */
  emptyLog(): void
  /** The random salt of the day, created by the first process that needs it. */
  salt(dayMs: number): Promise<string>
  close(): Promise<void>
}

/** Notes of files long deleted; kept a while for a reader that had one of them open. */
export const FINISHED_KEPT_MS = 7 * DAY_MS
