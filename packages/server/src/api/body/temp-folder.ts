import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolder } from '../../storage/data-folder.ts'
import { BodyError, ByteCollector } from './body-limits.ts'

const PREFIX = 'body-'
/** Bytes per write, because a client can send a body one byte at a time. */
const WRITE_BYTES = 64 * 1024

/** The folder for bodies of requests in progress. */
export const bodiesIn = (dataDir: string): string => join(dataDir, dataFolder.bodies)

/** The temporary files of one request: a private folder, created with the first file. */
export class TempFolder {
  readonly #parent: string
  readonly #share: UploadShare
  /** Created with the first file, because few requests have files. */
  #path = ''
  #files = 0
  #disk: Promise<void> | undefined

  constructor(parent: string, share: UploadShare = UNLIMITED) {
    this.#parent = parent
    this.#share = share
  }

  create(): TempFile {
    if (this.#files === 0) {
      this.#path = join(this.#parent, `${PREFIX}${randomUUID()}`)
      this.#enqueue(async () => {
        await mkdir(this.#parent, { recursive: true, mode: 0o700 })
        await mkdir(this.#path, { mode: 0o700 })
      })
    }
    const path = join(this.#path, String(this.#files++))
    return new TempFile(path, (piece) => {
      this.#share.take(piece.length)
      this.#enqueue(async () => {
        await appendFile(path, piece.bytes(), { mode: 0o600 })
        piece.free()
      })
    })
  }

  /** Counts memory that the request uses; released with the files. */
  hold(bytes: number): void {
    this.#share.hold(bytes)
  }

  /** Writes in progress; undefined if there are none. */
  pending(): Promise<void> | undefined {
    return this.#disk
  }

  /** Waits for writes in progress first, so that nothing is left. May be called again. */
  async remove(): Promise<void> {
    await this.#disk?.catch(() => {})
    if (this.#files > 0) await rm(this.#path, { recursive: true, force: true })
    this.#share.release()
  }

  #enqueue(work: () => Promise<void>): void {
    const disk = (this.#disk ?? Promise.resolve()).then(work).then(() => {
      if (this.#disk === disk) this.#disk = undefined
    })
    // The reader that awaits it gets the error; if the client has disconnected, nothing awaits it.
    disk.catch(() => {})
    this.#disk = disk
  }
}

/** A file written in the background, in larger pieces. */
export class TempFile {
  readonly path: string
  readonly #append: (piece: ByteCollector) => void
  #waiting = new ByteCollector()

  constructor(path: string, append: (piece: ByteCollector) => void) {
    this.path = path
    this.#append = append
  }

  write(bytes: Buffer): void {
    this.#waiting.push(bytes)
    if (this.#waiting.length >= WRITE_BYTES) this.end()
  }

  end(): void {
    if (this.#waiting.length > 0) this.#append(this.#waiting)
    this.#waiting = new ByteCollector()
  }
}

/** Removes leftovers of a killed process. Call at start, with an age that no request in progress can have. */
export async function removeStaleBodies(parent: string, olderThanMs: number, nowMs: number): Promise<void> {
  const names = await readdir(parent).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names.filter((name) => name.startsWith(PREFIX))) {
    const path = join(parent, name)
    // Another process of the same server may be deleting it, too.
    const changedMs = await stat(path).then(
      (stats) => stats.mtimeMs,
      () => nowMs,
    )
    if (nowMs - changedMs > olderThanMs) await rm(path, { recursive: true, force: true })
  }
}

const MIB = 1024 * 1024

/** Disk and memory used by one request before its body is verified. */
export interface UploadShare {
  /** Counts bytes on disk. Throws a `BodyError` (503) if the share or the budget is used up. */
  take(bytes: number): void
  /** Counts bytes in memory, for which free disk space does not matter. */
  hold(bytes: number): void
  /** Releases everything, after its files were removed. May be called again. */
  release(): void
}

const UNLIMITED: UploadShare = { take: () => {}, hold: () => {}, release: () => {} }

interface UploadBudgetRules {
  /** For all uploads in progress together. */
  readonly totalBytes: number
  /** For those of one address, and for those with one key. */
  readonly shareBytes: number
}

/** Eight of the largest bodies at once per address and key, and as much again for all others. */
const RULES: UploadBudgetRules = { totalBytes: 768 * MIB, shareBytes: 384 * MIB }

/**
 * One budget for the bodies of all requests in progress. Anyone can send a body slowly with a known key: without a budget a
 * few connections would fill the disk that clicks are written to, and many would fill the memory.
 */
export class UploadBudget {
  readonly #rules: UploadBudgetRules
  readonly #hasRoomFor: (bytes: number) => boolean
  readonly #used = new Map<string, number>()
  #total = 0

  constructor(rules: UploadBudgetRules = RULES, hasRoomFor: (bytes: number) => boolean = () => true) {
    this.#rules = rules
    this.#hasRoomFor = hasRoomFor
  }

  /** The share of one request, which counts against each of the given names. */
  shareOf(names: readonly string[]): UploadShare {
    let taken = 0
    const hold = (bytes: number): void => {
      const { totalBytes, shareBytes } = this.#rules
      const isOver = names.some((name) => (this.#used.get(name) ?? 0) + bytes > shareBytes)
      if (isOver || this.#total + bytes > totalBytes)
        throw new BodyError('no_room', 'Too many uploads are in progress; try again shortly')
      taken += bytes
      this.#count(names, bytes)
    }
    return {
      hold,
      take: (bytes) => {
        // Earlier bytes are in files already, and so no longer free.
        if (!this.#hasRoomFor(bytes))
          throw new BodyError('no_room', 'The disk is nearly full; try again later')
        hold(bytes)
      },
      release: () => {
        this.#count(names, -taken)
        taken = 0
      },
    }
  }

  #count(names: readonly string[], bytes: number): void {
    this.#total += bytes
    for (const name of names) {
      const used = (this.#used.get(name) ?? 0) + bytes
      if (used === 0) this.#used.delete(name)
      else this.#used.set(name, used)
    }
  }
}
