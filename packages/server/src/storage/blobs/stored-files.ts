import { AppError } from '../../net/errors.ts'
import type { Reads } from '../db/database.ts'
import type { Blobs, ByteRange } from './blobs.ts'

/** Owner of a reference that a request holds until it adopts or discards its file. */
export const PENDING = 'pending:'
/** The first owner that sorts after them. */
export const AFTER_PENDING = 'pending;'
/** Prefix of an owner that is in the trash. */
export const HIDDEN = 'trash:'
/** The first owner that sorts after that prefix. */
const AFTER_HIDDEN = 'trash;'

/** Number of missing files that are remembered, so that each is reported once. */
const REPORTED_MAX = 1_000
const RETRY_SECONDS = '60'

/** Reads files, and whether they may be served. */
export class StoredFiles {
  readonly #db: Reads
  readonly #blobs: Blobs
  readonly #report: (error: unknown) => void
  readonly #reported = new Set<string>()

  constructor(db: Reads, blobs: Blobs, report: (error: unknown) => void) {
    this.#db = db
    this.#blobs = blobs
    this.#report = report
  }

  get(hash: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    return this.#blobs.get(hash, range)
  }

  /** Reads a file that something refers to. If it is missing, callers must not serve anything generated without it. */
  async need(hash: string): Promise<Uint8Array> {
    return (await this.#blobs.get(hash)) ?? this.missing(hash)
  }

  /** Fails the request for a file that should exist, and reports it the first time. */
  missing(hash: string): never {
    if (!this.#reported.has(hash) && this.#reported.size < REPORTED_MAX) {
      this.#reported.add(hash)
      this.#report(
        new Error(`The stored file ${hash} is missing: restore it from a backup (docs/troubleshooting.md)`),
      )
    }
    throw new AppError('file_missing', {
      headers: { 'retry-after': RETRY_SECONDS, 'cache-control': 'no-store' },
    })
  }

  /** Whether the database has the file, without reading it. For results that are cached in memory. */
  async has(hash: string): Promise<boolean> {
    const row = await this.#db.sql
      .selectFrom('blobs')
      .select('hash')
      .where('hash', '=', hash)
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Whether a stored file must not be served: all its owners are in the trash or pending. A released file stays in the
   * store until it is removed, which takes long while the store is down.
   */
  async isHidden(hash: string): Promise<boolean> {
    const isShown = await this.#db.sql
      .selectFrom('blob_refs')
      .select('hash')
      .where('hash', '=', hash)
      .where((eb) => eb.or([eb('owner', '<', HIDDEN), eb('owner', '>=', AFTER_HIDDEN)]))
      .where((eb) => eb.or([eb('owner', '<', PENDING), eb('owner', '>=', AFTER_PENDING)]))
      .limit(1)
      .executeTakeFirst()
    return isShown === undefined && (await this.has(hash))
  }
}
