import type { StoredClick } from '../batches/stored-click.ts'
import { DAY_MS } from '../../work/times.ts'

/** The workspace of a link or page, and its address. */
export interface Owner {
  readonly workspaceUuid: string
  /** True for the short link of a QR code or barcode: its clicks are scans. */
  readonly ofCode: boolean
  /** '' is the default domain. */
  readonly domain: string
  /** The short code of a link, the slug of a page. */
  readonly name: string
}

export interface ClickBatch {
  readonly file: string
  /** The file and the range of it that these clicks were read from. */
  readonly from: number
  readonly to: number
  readonly clicks: readonly StoredClick[]
  /** Clicks of the same range that cannot be stored. */
  readonly setAside?: { readonly clicks: readonly StoredClick[]; readonly reason: string }
  /** Only to test whether the batch can be stored: the transaction is rolled back. */
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
  /** Clicks of links that no longer exist. */
  readonly dropped: number
  /** Workspaces and days that got a batch. */
  readonly batches: readonly OpenDay[]
  /** The workspaces of the batch's links and pages. */
  readonly owners: ReadonlyMap<string, Owner>
}

/** Stores the clicks read from the spool. Uses its own connection. */
export interface ClickStore {
  /** Largest number of clicks in a batch: other writers wait while it is stored. */
  readonly mostClicks: number
  /** Position up to which a file is counted; inserts its row if there is none. */
  position(file: string): Promise<FilePosition>
  /**
   * Stores the batch, adds to the totals of its links and moves the position, in one transaction. `undefined`: another
   * reader has moved the position.
   */
  write(batch: ClickBatch): Promise<Written | undefined>
  /** Marks the file as finished, even if it cannot be deleted; deletes old marks. */
  finish(file: string, nowMs: number): Promise<void>
  /** The oldest day before this one that has batches of a workspace to merge, except the given ones. */
  oldestOpenDay(beforeDay: number, except: readonly OpenDay[]): Promise<OpenDay | undefined>
  /** The ids of a day's batches that are not merged yet. */
  openBatches(openDay: OpenDay): Promise<string[]>
  /** Merges small batches. When closing the day: any batches, for the last time. `id`: only this one. */
  merge(openDay: OpenDay, closing: boolean, id?: string): Promise<void>
  /** Moves a batch that cannot be read to `set_aside_clicks`. */
  setAside(openDay: OpenDay, id: string, reason: string): Promise<void>
  /** SQLite: copies the write-ahead log into the database, so that writes of the server copy less of it. */
  emptyLog(): void
  /** The random salt of a day, created by the first process that needs it. */
  salt(dayMs: number): Promise<string>
  close(): Promise<void>
}

/** How long finished files are remembered, for a reader that still has one of them open. */
export const FINISHED_KEPT_MS = 7 * DAY_MS

/** Today and yesterday: salts are deleted soon after. */
const SALTS_IN_MEMORY = 2

/** Caches the salts of the last days. */
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
