import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { UnavailableError } from '../db/unavailable.ts'
import type { Blobs } from './blobs.ts'

/** Owner of a reference that a request holds until it adopts or discards its file. */
export const PENDING = 'pending:'
/** The first owner that sorts after them. */
export const AFTER_PENDING = 'pending;'
/** Owner of a reference that claims a file for removal. Backups skip it like any pending reference. */
const REMOVAL = `${PENDING}removal:`

/** A request takes seconds: staged files and removals of this age belong to a dead process. */
const STALE_MS = 600_000
/**
 * A claim that has not changed for this long belongs to a removal that died or timed out. It is several times the timeout
 * of a request, because S3 may still carry out a request that the client has given up on.
 */
const CLAIM_LAPSES_MS = 15_000
const POLL_MS = 25
const STAGE_WAIT_MS = 40_000
const CLOSE_MS = 2_000
const BATCH = 500

export interface SweeperOptions {
  readonly db: Database
  readonly blobs: Blobs
  readonly now: () => number
  /** Receives errors when removing released files. A later `sweep` retries them. */
  readonly report: (error: unknown) => void
  readonly claimLapsesMs?: number
}

/**
 * Removes files without references. A removal claims the file in one transaction, removes it from the store outside of any
 * transaction, because the store may be slow or down, and deletes the row in a second transaction. The same file cannot be
 * staged while it is claimed, so a slow removal never deletes a file that was just uploaded.
 */
export class BlobSweeper {
  readonly #options: SweeperOptions
  readonly #claimLapsesMs: number
  readonly #released = new Set<string>()
  #removing: Promise<void> | undefined
  #isClosed = false

  constructor(options: SweeperOptions) {
    this.#options = options
    this.#claimLapsesMs = options.claimLapsesMs ?? CLAIM_LAPSES_MS
  }

  /** Removes released files in the background, unless they have another owner. */
  remove(hashes: readonly string[]): void {
    for (const hash of hashes) this.#released.add(hash)
    if (this.#released.size > 0) this.#removing ??= this.#removeReleased()
  }

  /** Resolves when the files released so far are removed. */
  async settled(): Promise<void> {
    await this.#removing
  }

  /** Waits for running removals, but not for a store that is down: the next `sweep` removes the rest. */
  async close(): Promise<void> {
    await Promise.race([this.settled(), delay(CLOSE_MS, undefined, { ref: false })])
    this.#isClosed = true
    this.#released.clear()
  }

  /** Removes what crashes left behind: files staged long ago, without a reference, or without a row. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { db, now } = this.#options
    const before = now() - STALE_MS
    await db.write(() =>
      db.sql
        .deleteFrom('blob_refs')
        .where('owner', '>=', PENDING)
        .where('owner', '<', AFTER_PENDING)
        .where('created_at', '<', before)
        .execute(),
    )
    await this.#sweepUnreferenced(signal)
    await this.#sweepStrays(signal)
  }

  /**
   * Runs a write that refers to a file, after any running removal of the file. The write must first lock or insert the row of
   * the file, so that no removal can start before the write has ended.
   */
  async writeUnclaimed(hash: string, work: () => Promise<void>): Promise<void> {
    const { db } = this.#options
    const giveUpAt = performance.now() + STAGE_WAIT_MS
    let lapsed: string | undefined
    for (;;) {
      const claim = await db
        .write(async () => {
          await work()
          const found = await this.#findClaim(hash)
          if (found === undefined) return undefined
          if (found !== lapsed) throw new Claimed(found)
          await this.#deleteRef(hash, found)
          return undefined
        })
        .catch(claimOf)
      if (claim === undefined) return
      lapsed = await this.#outlast(hash, claim)
      if (performance.now() > giveUpAt) throw new UnavailableError('The same file is being removed')
    }
  }

  /** Waits for the end of a claim. Returns the claim if it has expired by this process's clock. */
  async #outlast(hash: string, claim: string): Promise<string | undefined> {
    const lapsesAt = performance.now() + this.#claimLapsesMs
    while (performance.now() < lapsesAt) {
      await delay(POLL_MS)
      if ((await this.#findClaim(hash)) !== claim) return undefined
    }
    return claim
  }

  async #removeReleased(): Promise<void> {
    for (const hash of this.#released) {
      this.#released.delete(hash)
      try {
        await this.#remove(hash)
      } catch (error) {
        this.#options.report(error)
        // The others would fail as well. A sweep removes them when the store is back.
        if (error instanceof UnavailableError) this.#released.clear()
      }
    }
    this.#removing = undefined
  }

  async #remove(hash: string, claim = () => this.#claimUnreferenced(hash)): Promise<void> {
    const { db, blobs } = this.#options
    let claimedAt = 0
    const owner = await db.write(async () => {
      const claimed = await claim()
      claimedAt = performance.now()
      return claimed
    })
    // Too little time is left to be sure that the claim outlives the removal. It expires, and the next sweep tries again.
    if (owner === undefined || performance.now() - claimedAt > this.#claimLapsesMs / 2) return
    await blobs.remove(hash)
    // The database may be closed by now. The claim expires, and the next sweep deletes the row.
    if (this.#isClosed) return
    await db.write(async () => {
      await this.#lockRow(hash)
      if (!(await this.#deleteRef(hash, owner)) || (await this.#isReferenced(hash))) return
      await db.sql.deleteFrom('blobs').where('hash', '=', hash).execute()
    })
  }

  /** The owner of the new claim; undefined if the file no longer exists, has a reference, or is being removed. */
  async #claimUnreferenced(hash: string): Promise<string | undefined> {
    // A file without a row may be being staged: an uncommitted row cannot be locked.
    if (!(await this.#lockRow(hash)) || (await this.#isReferenced(hash))) return undefined
    return this.#insertClaim(hash)
  }

  /** A stray file has no row. It gets one that holds the claim. */
  async #claimStray(hash: string): Promise<string | undefined> {
    const { db, now } = this.#options
    const made = await db.sql
      .insertInto('blobs')
      .values({ hash, bytes: 0, width: null, height: null, created_at: now() })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .executeTakeFirst()
    return made.numInsertedOrUpdatedRows === 1n ? this.#insertClaim(hash) : undefined
  }

  async #insertClaim(hash: string): Promise<string> {
    const { db, now } = this.#options
    const owner = `${REMOVAL}${crypto.randomUUID()}`
    await db.sql
      .insertInto('blob_refs')
      .values({ hash, owner, workspace_uuid: null, created_at: now() })
      .execute()
    return owner
  }

  async #findClaim(hash: string): Promise<string | undefined> {
    const row = await this.#options.db.sql
      .selectFrom('blob_refs')
      .select('owner')
      .where('hash', '=', hash)
      .where('owner', '>=', REMOVAL)
      .where('owner', '<', `${PENDING}removal;`)
      .executeTakeFirst()
    return row?.owner
  }

  async #lockRow(hash: string): Promise<boolean> {
    const { db } = this.#options
    const query = db.sql.selectFrom('blobs').select('hash').where('hash', '=', hash)
    return (await db.dialect.locking(query).executeTakeFirst()) !== undefined
  }

  async #isReferenced(hash: string): Promise<boolean> {
    const query = this.#options.db.sql.selectFrom('blob_refs').select('owner').where('hash', '=', hash)
    return (await query.limit(1).executeTakeFirst()) !== undefined
  }

  async #deleteRef(hash: string, owner: string): Promise<boolean> {
    const { numDeletedRows } = await this.#options.db.sql
      .deleteFrom('blob_refs')
      .where('hash', '=', hash)
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  async #sweepUnreferenced(signal: AbortSignal): Promise<void> {
    for (let after = ''; ;) {
      const rows = await this.#options.db.sql
        .selectFrom('blobs')
        .leftJoin('blob_refs', 'blob_refs.hash', 'blobs.hash')
        .select('blobs.hash')
        .where('blob_refs.hash', 'is', null)
        .where('blobs.hash', '>', after)
        .orderBy('blobs.hash')
        .limit(BATCH)
        .execute()
      for (const { hash } of rows) {
        if (signal.aborted) return
        await this.#remove(hash)
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < BATCH) return
      after = last.hash
    }
  }

  async #sweepStrays(signal: AbortSignal): Promise<void> {
    let batch: string[] = []
    for await (const hash of this.#options.blobs.list()) {
      if (signal.aborted) return
      batch.push(hash)
      if (batch.length < BATCH) continue
      await this.#removeStrays(batch, signal)
      batch = []
    }
    if (batch.length > 0) await this.#removeStrays(batch, signal)
  }

  async #removeStrays(hashes: readonly string[], signal: AbortSignal): Promise<void> {
    const { sql } = this.#options.db
    const rows = await sql.selectFrom('blobs').select('hash').where('hash', 'in', hashes).execute()
    const known = new Set(rows.map((row) => row.hash))
    for (const hash of hashes) {
      if (signal.aborted) return
      if (!known.has(hash)) await this.#remove(hash, () => this.#claimStray(hash))
    }
  }
}

/** Rolls back a write that found the file claimed. */
class Claimed extends Error {
  readonly owner: string

  constructor(owner: string) {
    super('The file is being removed')
    this.owner = owner
  }
}

function claimOf(error: unknown): string {
  if (error instanceof Claimed) return error.owner
  throw error
}
