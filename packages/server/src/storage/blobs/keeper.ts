import type { Database } from '../db/database.ts'
import type { Blobs } from './blobs.ts'
import { hashOf } from './hash.ts'

/** A file that is stored but belongs to nothing yet. */
export interface Staged {
  readonly hash: string
  readonly pending: string
}

interface Size {
  readonly width?: number | null
  readonly height?: number | null
}

interface KeeperOptions {
  readonly now?: () => number
  /** Sweeps that nobody waits for. */
  readonly report?: (error: unknown) => void
}

/** A request takes seconds; one that staged a file this long ago has died. */
const STALE_MS = 600_000
const BATCH = 500
const PENDING = 'pending:'

/**
 * Keeps every file as long as something refers to it. A reference is in the database before its file is written,
 * and a file is removed inside the write that takes its row away, so that a crash anywhere leaves at worst a
 * file nobody refers to, which the next sweep removes, and never a reference without its file.
 */
export class BlobKeeper {
  readonly #db: Database
  readonly #blobs: Blobs
  readonly #now: () => number
  readonly #report: (error: unknown) => void
  #sweeping: Promise<unknown> = Promise.resolve()

  constructor(db: Database, blobs: Blobs, options: KeeperOptions = {}) {
    this.#db = db
    this.#blobs = blobs
    this.#now = options.now ?? Date.now
    this.#report = options.report ?? ((error) => console.error(error))
  }

  get(hash: string): Promise<Uint8Array | undefined> {
    return this.#blobs.get(hash)
  }

  /** Whether a file is there, without reading it: for what was made of it and is in memory still. */
  async has(hash: string): Promise<boolean> {
    const row = await this.#db.sql
      .selectFrom('blobs')
      .select('hash')
      .where('hash', '=', hash)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Stores a file ahead of the transaction that will own it. Not inside a write. */
  async stage(bytes: Uint8Array, size: Size = {}): Promise<Staged> {
    const hash = hashOf(bytes)
    const staged = { hash, pending: `${PENDING}${crypto.randomUUID()}` }
    const { width = null, height = null } = size
    const created_at = this.#now()
    await this.#db.write(async () => {
      // The update locks the row of a file that is there already: a sweep of it has to come before or after.
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

  /** Makes the staged file the owner's (`qrcode:<uuid>`), inside the write that makes or changes the owner. */
  async adopt(staged: Staged, owner: string, userUuid: string): Promise<void> {
    const { numDeletedRows } = await this.#db.sql
      .deleteFrom('blob_refs')
      .where('hash', '=', staged.hash)
      .where('owner', '=', staged.pending)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw new Error('The staged file was given up: it waited too long')
    await this.#addRef(staged.hash, owner, userUuid)
  }

  /** Gives up the owner's files, or some of them, inside the write that removes or changes the owner. */
  async release(owner: string, hashes?: readonly string[]): Promise<void> {
    if (hashes?.length === 0) return
    let query = this.#db.sql.deleteFrom('blob_refs').where('owner', '=', owner)
    if (hashes !== undefined) query = query.where('hash', 'in', hashes)
    const released = await query.returning('hash').execute()
    this.#sweepAfterCommit(released.map((row) => row.hash))
  }

  /** Gives up some of the files of a user who is leaving; answers which, none when none is left. */
  async releaseUser(userUuid: string, limit = BATCH): Promise<string[]> {
    const refs = await this.#db.sql
      .selectFrom('blob_refs')
      .select(['hash', 'owner'])
      .where('user_uuid', '=', userUuid)
      .limit(limit)
      .execute()
    for (const { hash, owner } of refs) {
      await this.#db.sql.deleteFrom('blob_refs').where('hash', '=', hash).where('owner', '=', owner).execute()
    }
    const hashes = refs.map((ref) => ref.hash)
    this.#sweepAfterCommit(hashes)
    return hashes
  }

  /** Takes back a staged file whose request failed; fine when it was adopted after all. */
  async discard(staged: Staged): Promise<void> {
    await this.#db.write(() => this.release(staged.pending))
  }

  /** Removes what crashes left behind: files staged long ago, without a reference, without a row. */
  async sweep(): Promise<void> {
    const before = this.#now() - STALE_MS
    await this.#db.write(() =>
      this.#db.sql
        .deleteFrom('blob_refs')
        .where('owner', '>=', PENDING)
        .where('owner', '<', 'pending;')
        .where('created_at', '<', before)
        .execute(),
    )
    await this.#sweepUnreferenced()
    await this.#sweepStrays()
  }

  /** Resolves when the sweeps started by releases so far have ended. */
  async settled(): Promise<void> {
    await this.#sweeping
  }

  async #addRef(hash: string, owner: string, user_uuid: string | null): Promise<void> {
    await this.#db.sql
      .insertInto('blob_refs')
      .values({ hash, owner, user_uuid, created_at: this.#now() })
      .onConflict((conflict) => conflict.columns(['hash', 'owner']).doNothing())
      .execute()
  }

  #sweepAfterCommit(hashes: readonly string[]): void {
    if (hashes.length === 0) return
    this.#db.afterCommit(() => {
      this.#sweeping = this.#sweeping.then(async () => {
        for (const hash of new Set(hashes)) await this.#removeIfUnreferenced(hash).catch(this.#report)
      })
    })
  }

  async #removeIfUnreferenced(hash: string): Promise<void> {
    await this.#db.write(async () => {
      // Changes nothing but locks the row, on both engines: whoever stages the same file now waits.
      await this.#db.sql
        .updateTable('blobs')
        .set((eb) => ({ bytes: eb.ref('bytes') }))
        .where('hash', '=', hash)
        .execute()
      const ref = await this.#db.sql
        .selectFrom('blob_refs')
        .select('owner')
        .where('hash', '=', hash)
        .limit(1)
        .executeTakeFirst()
      if (ref !== undefined) return
      await this.#db.sql.deleteFrom('blobs').where('hash', '=', hash).execute()
      await this.#blobs.remove(hash)
    })
  }

  async #sweepUnreferenced(): Promise<void> {
    for (let after = ''; ;) {
      const rows = await this.#db.sql
        .selectFrom('blobs')
        .leftJoin('blob_refs', 'blob_refs.hash', 'blobs.hash')
        .select('blobs.hash')
        .where('blob_refs.hash', 'is', null)
        .where('blobs.hash', '>', after)
        .orderBy('blobs.hash')
        .limit(BATCH)
        .execute()
      for (const { hash } of rows) await this.#removeIfUnreferenced(hash)
      const last = rows.at(-1)
      if (last === undefined || rows.length < BATCH) return
      after = last.hash
    }
  }

  async #sweepStrays(): Promise<void> {
    let batch: string[] = []
    for await (const hash of this.#blobs.list()) {
      batch.push(hash)
      if (batch.length < BATCH) continue
      await this.#removeStrays(batch)
      batch = []
    }
    if (batch.length > 0) await this.#removeStrays(batch)
  }

  async #removeStrays(hashes: readonly string[]): Promise<void> {
    const rows = await this.#db.sql.selectFrom('blobs').select('hash').where('hash', 'in', hashes).execute()
    const known = new Set(rows.map((row) => row.hash))
    for (const hash of hashes) if (!known.has(hash)) await this.#removeStray(hash)
  }

  /** Its row is made and taken away in one write, so that whoever stages the same file now waits. */
  async #removeStray(hash: string): Promise<void> {
    await this.#db.write(async () => {
      const made = await this.#db.sql
        .insertInto('blobs')
        .values({ hash, bytes: 0, width: null, height: null, created_at: this.#now() })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .executeTakeFirst()
      if (made.numInsertedOrUpdatedRows !== 1n) return
      await this.#blobs.remove(hash)
      await this.#db.sql.deleteFrom('blobs').where('hash', '=', hash).execute()
    })
  }
}
