import { sql } from 'kysely'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../db/database.ts'
import { type Blobs, type ByteRange, hashInTurns } from './blobs.ts'
import { AFTER_PENDING, BlobSweeper, PENDING } from './sweeper.ts'

/** The user or workspace that the file is erased with. */
export type FileOwner = { readonly workspace: string } | { readonly user: string }

/** A stored file without an owner yet. */
export interface Staged {
  readonly hash: string
  readonly pending: string
}

interface Size {
  readonly width?: number | null
  readonly height?: number | null
}

interface BlobReferencesOptions {
  readonly now?: () => number
  /** Receives errors of background removals. */
  readonly report?: (error: unknown) => void
  readonly claimLapsesMs?: number
}

const BATCH = 500
/** Number of missing files that are remembered, so that each is reported once. */
const REPORTED_MAX = 1_000
const RETRY_SECONDS = '60'
/** Prefix of an owner that is in the trash. */
const HIDDEN = 'trash:'
/** The first owner that sorts after that prefix. */
const AFTER_HIDDEN = 'trash;'

/**
 * Reference counting: keeps every file as long as something refers to it. A reference is stored before its file is written,
 * and a file is removed only while a claim prevents new references. A crash at any point leaves at most a file without
 * references, which the next sweep removes, and never a reference without its file.
 */
export class BlobReferences {
  readonly #db: Database
  readonly #blobs: Blobs
  readonly #now: () => number
  readonly #report: (error: unknown) => void
  readonly #sweeper: BlobSweeper
  readonly #reported = new Set<string>()

  constructor(db: Database, blobs: Blobs, options: BlobReferencesOptions = {}) {
    this.#db = db
    this.#blobs = blobs
    this.#now = options.now ?? Date.now
    this.#report = options.report ?? ((error) => console.error(error))
    const { claimLapsesMs } = options
    this.#sweeper = new BlobSweeper({ db, blobs, now: this.#now, report: this.#report, claimLapsesMs })
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

  /** Stores a file before the transaction that creates its owner. Must not be called inside a write. */
  async stage(bytes: Uint8Array, size: Size = {}): Promise<Staged> {
    const hash = await hashInTurns(bytes)
    const staged = { hash, pending: `${PENDING}${crypto.randomUUID()}` }
    const { width = null, height = null } = size
    const created_at = this.#now()
    await this.#sweeper.writeUnclaimed(hash, async () => {
      // The update locks an existing row, so a removal starts either before or after this write.
      await this.#db.sql
        .insertInto('blobs')
        .values({ hash, bytes: bytes.length, width, height, created_at })
        .onConflict((conflict) => conflict.column('hash').doUpdateSet({ bytes: bytes.length }))
        .execute()
      await this.#addRef(hash, staged.pending, null)
    })
    try {
      if (!(await this.#blobs.has(hash))) await this.#blobs.put(hash, bytes)
    } catch (error) {
      await this.discard(staged).catch(this.#report)
      throw error
    }
    return staged
  }

  /** Assigns the staged file to its owner (`qrcode:<uuid>`), inside the write that creates or changes the owner. */
  async adopt(staged: Staged, owner: string, of: FileOwner): Promise<void> {
    const { numDeletedRows } = await this.#db.sql
      .deleteFrom('blob_refs')
      .where('hash', '=', staged.hash)
      .where('owner', '=', staged.pending)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw new Error('The staged file has expired')
    await this.#addRef(staged.hash, owner, of)
  }

  /** Releases all or some of the owner's files, inside the write that deletes or changes the owner. */
  async release(owner: string, hashes?: readonly string[]): Promise<void> {
    if (hashes?.length === 0) return
    let query = this.#db.sql.deleteFrom('blob_refs').where('owner', 'in', [owner, HIDDEN + owner])
    if (hashes !== undefined) query = query.where('hash', 'in', hashes)
    const released = await query.returning('hash').execute()
    this.#removeAfterCommit(released.map((row) => row.hash))
  }

  /** Hides files that belong only to these owners, or shows them again, inside the write that moves the owners. */
  async hide(owners: readonly string[], isHidden: boolean): Promise<void> {
    if (owners.length === 0) return
    const [from, owner] = isHidden
      ? [owners, sql<string>`${HIDDEN} || owner`]
      : [owners.map((each) => HIDDEN + each), sql<string>`substr(owner, ${HIDDEN.length + 1})`]
    await this.#db.sql.updateTable('blob_refs').set({ owner }).where('owner', 'in', from).execute()
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

  /** Releases a batch of files of a deleted user or workspace and returns them; an empty list when none is left. */
  async releaseAll(of: FileOwner, limit = BATCH): Promise<string[]> {
    const refs = await this.#db.sql
      .selectFrom('blob_refs')
      .select(['hash', 'owner'])
      .where((eb) => ('user' in of ? eb('user_uuid', '=', of.user) : eb('workspace_uuid', '=', of.workspace)))
      .limit(limit)
      .execute()
    for (const { hash, owner } of refs) {
      await this.#db.sql.deleteFrom('blob_refs').where('hash', '=', hash).where('owner', '=', owner).execute()
    }
    const hashes = refs.map((ref) => ref.hash)
    this.#removeAfterCommit(hashes)
    return hashes
  }

  /** Releases a staged file whose request failed; does nothing if it was adopted. */
  async discard(staged: Staged): Promise<void> {
    await this.#db.write(() => this.release(staged.pending))
  }

  /** Removes what crashes left behind: files staged long ago, without a reference, or without a row. */
  sweep(signal: AbortSignal = new AbortController().signal): Promise<void> {
    return this.#sweeper.sweep(signal)
  }

  /** Resolves when the files released so far are removed. */
  settled(): Promise<void> {
    return this.#sweeper.settled()
  }

  close(): Promise<void> {
    return this.#sweeper.close()
  }

  async #addRef(hash: string, owner: string, of: FileOwner | null): Promise<void> {
    const workspace_uuid = of !== null && 'workspace' in of ? of.workspace : null
    const user_uuid = of !== null && 'user' in of ? of.user : null
    await this.#db.sql
      .insertInto('blob_refs')
      .values({ hash, owner, workspace_uuid, user_uuid, created_at: this.#now() })
      .onConflict((conflict) => conflict.columns(['hash', 'owner']).doNothing())
      .execute()
  }

  #removeAfterCommit(hashes: readonly string[]): void {
    this.#db.afterCommit(() => this.#sweeper.remove(hashes))
  }
}
