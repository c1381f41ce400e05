import { statfs } from 'node:fs/promises'
import type { Database as Sqlite } from 'better-sqlite3'
import { Background } from '../work/background.ts'

const MIB = 1024 * 1024
/** Reserved for the database and the click spool; on a small volume a tenth of it. */
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

/** The free space on the volume of the data folder, checked every second. */
export class DiskRoom {
  readonly #look: () => Promise<Volume>
  readonly #sqlite: Sqlite | undefined
  readonly #background: Background
  #volume: Volume = { freeBytes: Number.POSITIVE_INFINITY, totalBytes: Number.POSITIVE_INFINITY }

  /** `sqlite`: the database on that volume; PostgreSQL stores rows elsewhere. */
  constructor(folder: string, { sqlite, report, look = () => volumeOf(folder) }: DiskRoomOptions) {
    this.#look = look
    this.#sqlite = sqlite
    this.#background = new Background(report)
    this.#background.every(LOOK_MS, () => this.refresh())
  }

  async refresh(): Promise<void> {
    this.#volume = await this.#look()
  }

  /** Whether writing this many bytes leaves the reserve free. */
  hasRoomFor(bytes: number): boolean {
    const { freeBytes, totalBytes } = this.#volume
    return freeBytes - bytes >= Math.min(RESERVED_BYTES, totalBytes * RESERVED_SHARE)
  }

  /** Whether inserting rows leaves the reserve free. Deleted rows leave free pages in the database file. */
  hasRoomForRows(): boolean {
    return this.#sqlite === undefined || this.hasRoomFor(0) || this.hasRoomFor(-reusableBytes(this.#sqlite))
  }

  close(): Promise<void> {
    return this.#background.close()
  }
}
