import { statfs } from 'node:fs/promises'
import type { Database as Sqlite } from 'better-sqlite3'
import { Background } from '../work/background.ts'

const MIB = 1024 * 1024
/** Kept free for the database and the click spool; of a small volume a tenth. */
const RESERVED_BYTES = 512 * MIB
const RESERVED_SHARE = 0.1
const LOOK_MS = 1_000

interface Volume {
  readonly freeBytes: number
  readonly totalBytes: number
}

const volumeOf = async (folder: string): Promise<Volume> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

const reusableBytes = (sqlite: Sqlite): number =>
  Number(sqlite.pragma('freelist_count', { simple: true })) *
  Number(sqlite.pragma('page_size', { simple: true }))

interface DiskRoomOptions {
  readonly sqlite: Sqlite | undefined
  readonly report: (error: unknown) => void
  readonly look?: () => Promise<Volume>
}

/** How much room is left on the volume of the data folder, looked at every second. */
export class DiskRoom {
  readonly #look: () => Promise<Volume>
  readonly #sqlite: Sqlite | undefined
  readonly #background: Background
  #volume: Volume = { freeBytes: Number.POSITIVE_INFINITY, totalBytes: Number.POSITIVE_INFINITY }

  /** `sqlite` is the database on that volume; PostgreSQL stores rows elsewhere. */
  constructor(folder: string, { sqlite, report, look = () => volumeOf(folder) }: DiskRoomOptions) {
    this.#look = look
    this.#sqlite = sqlite
    this.#background = new Background(report)
    this.#background.every(LOOK_MS, () => this.refresh())
  }

  async refresh(): Promise<void> {
    this.#volume = await this.#look()
  }

  /** Whether so many bytes leave the reserve untouched. */
  hasRoomFor(bytes: number): boolean {
    const { freeBytes, totalBytes } = this.#volume
    return freeBytes - bytes >= Math.min(RESERVED_BYTES, totalBytes * RESERVED_SHARE)
  }

  /** Whether more rows leave the reserve untouched. Rows that were removed left free pages in the database file. */
  hasRoomForRows(): boolean {
    return this.#sqlite === undefined || this.hasRoomFor(0) || this.hasRoomFor(-reusableBytes(this.#sqlite))
  }

  close(): Promise<void> {
    return this.#background.close()
  }
}
