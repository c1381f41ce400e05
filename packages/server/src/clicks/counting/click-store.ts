import type { EnrichedClick } from './enrich.ts'
import type { Owner } from '../batches/user-days.ts'
import { DAY_MS } from '../../runtime/times.ts'

export interface ClickBatch {
  readonly file: string
  /** The part of the file these clicks were read from. */
  readonly from: number
  readonly to: number
  readonly clicks: readonly EnrichedClick[]
  /** What the batch adds to links and pages is written down, and added with that of other batches by `settle`. */
  readonly totalsWait?: boolean
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
  readonly batches: readonly { readonly userKey: number; readonly day: number }[]
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
  /** Adds up clicks of days before this one, a piece at a time; false when none are left. */
  closeDays(beforeDay: number): Promise<boolean>
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
