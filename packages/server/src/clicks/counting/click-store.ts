import type { StoredClick } from '../batches/stored-click.ts'
import { DAY_MS } from '../../work/times.ts'

/** Whom a link or page belongs to, and where it is reached. */
export interface Owner {
  readonly workspaceUuid: string
  /** The short link of a QR code or barcode: its clicks are scans. */
  readonly ofCode: boolean
  /** '' is the default domain. */
  readonly domain: string
  /** The short code of a link, the slug of a page. */
  readonly name: string
}

export interface ClickBatch {
  readonly file: string
  /** The part of the file these clicks were read from. */
  readonly from: number
  readonly to: number
  readonly clicks: readonly StoredClick[]
  /** Clicks of the same part that cannot be stored. */
  readonly setAside?: { readonly clicks: readonly StoredClick[]; readonly reason: string }
  /** Only to see whether it can be stored: the transaction is rolled back. */
  readonly isTrial?: boolean
}

/** A workspace's day that still has batches to merge. */
export interface OpenDay {
  readonly workspaceUuid: string
  readonly day: number
}

export interface FilePosition {
  readonly position: number
  readonly finished: boolean
}

export interface Written {
  readonly counted: number
  /** Of links that no longer exist. */
  readonly dropped: number
  /** Workspaces and days that got a batch. */
  readonly batches: readonly OpenDay[]
  /** Whom the links and pages of the batch belong to. */
  readonly owners: ReadonlyMap<string, Owner>
}

/** Where the reader of the spool stores clicks. Runs beside the server, on a connection of its own. */
export interface ClickStore {
  /** How many clicks a batch has at most: other writers wait while it is stored. */
  readonly mostClicks: number
  /** How far a file is counted; inserts its row if there is none. */
  position(file: string): Promise<FilePosition>
  /**
   * Stores the batch, adds to the totals of its links and moves the position, in one transaction. `undefined`: another
   * reader has moved the position.
   */
  write(batch: ClickBatch): Promise<Written | undefined>
  /** From now on the file counts as read, even if it cannot be deleted; older such notes are dropped. */
  finish(file: string, nowMs: number): Promise<void>
  /** The oldest day before this one that has batches to merge, of one workspace; these are left out. */
  oldestOpenDay(beforeDay: number, except: readonly OpenDay[]): Promise<OpenDay | undefined>
  /** The ids of a day's batches that are still to be merged. */
  openBatches(openDay: OpenDay): Promise<string[]>
  /** Merges some small batches into one. When closing: any, for the last time. `id`: this one alone. */
  merge(openDay: OpenDay, closing: boolean, id?: string): Promise<void>
  /** Moves a batch that cannot be read to `set_aside_clicks`. */
  setAside(openDay: OpenDay, id: string, reason: string): Promise<void>
  /** SQLite: writes the write-ahead log to the database, so that writes of the server have less of it to do. */
  emptyLog(): void
  /** The random salt of the day, created by the first process that needs it. */
  salt(dayMs: number): Promise<string>
  close(): Promise<void>
}

/** Notes of files long deleted; stored for a reader that still had one of them open. */
export const FINISHED_KEPT_MS = 7 * DAY_MS

/** Today and yesterday: salts are deleted soon after. */
const SALTS_IN_MEMORY = 2

/** Remembers the salts of the last days that were asked for. */
export function rememberingSalts(read: (dayMs: number) => Promise<string>): ClickStore['salt'] {
  const known = new Map<number, string>()
  return async (dayMs) => {
    const found = known.get(dayMs)
    if (found !== undefined) return found
    const salt = await read(dayMs)
    known.set(dayMs, salt)
    for (const oldest of known.keys()) if (known.size > SALTS_IN_MEMORY) known.delete(oldest)
    return salt
  }
}
