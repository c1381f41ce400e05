import type { Database } from '../../storage/db/database.ts'
import type { BlobKeeper } from '../../storage/blobs/keeper.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import type { Erase } from '../../modules/module.ts'
import type { InvoiceStore } from './invoices.store.ts'

export interface RemovalDependencies {
  readonly db: Database
  readonly blobs: BlobKeeper
  readonly invoices: Pick<InvoiceStore, 'detach'>
  /** What the modules keep, in an order that references allow; each ends before the next begins. */
  readonly erasers: () => readonly Erase[]
  readonly tombstones: Tombstones
  /** Tells every process to forget the account and what it serves. */
  readonly accountRemoved: () => void
  /** Everything of an account is deleted. */
  readonly erased: () => void
  readonly now: () => number
  readonly newId: () => string
}

const WORKSPACE_TABLES = ['idempotency', 'totals', 'trash'] as const
const USER_TABLES = ['feedback', 'password_resets'] as const

/**
 * Removes accounts. First one small transaction that closes the account; then its rows and files,
 * batch by batch. The request for it stands in the database until the last batch, so that a crash only interrupts it.
 */
export class RemovalService {
  readonly #deps: RemovalDependencies

  constructor(deps: RemovalDependencies) {
    this.#deps = deps
  }

  /** The account is gone once this has committed; what it leaves behind is for `erase`. */
  async remove(userUuid: string, reason: string): Promise<void> {
    const { db, now, newId, accountRemoved } = this.#deps
    await db.write(async () => {
      const at = now()
      await db.sql
        .updateTable('users')
        .set({ removed_at: at, updated_at: at })
        .where('uuid', '=', userUuid)
        .execute()
      await db.sql
        .updateTable('workspaces')
        .set({ removed_at: at, updated_at: at })
        .where('uuid', '=', userUuid)
        .execute()
      await db.sql.deleteFrom('api_keys').where('workspace_uuid', '=', userUuid).execute()
      await db.sql.deleteFrom('sessions').where('user_uuid', '=', userUuid).execute()
      await db.sql.insertInto('removal_reasons').values({ uuid: newId(), reason, created_at: at }).execute()
      await db.sql
        .insertInto('erasures')
        .values({ workspace_uuid: userUuid, requested_at: at })
        .onConflict((conflict) => conflict.column('workspace_uuid').doNothing())
        .execute()
      db.afterCommit(accountRemoved)
    })
  }

  /** Continues what a crash interrupted. */
  async resume(signal?: AbortSignal): Promise<void> {
    const open = await this.#deps.db.sql.selectFrom('erasures').select('workspace_uuid').execute()
    for (const { workspace_uuid } of open) await this.erase(workspace_uuid, signal)
  }

  /** Erases the rows and files of a removed account; after the signal, at the end of a batch, the rest waits. */
  async erase(userUuid: string, signal?: AbortSignal): Promise<void> {
    const { db, erasers, blobs, invoices } = this.#deps
    const all = [...erasers(), this.#eraseFiles]
    for (const erase of all)
      for (let isLeft = true; isLeft; isLeft = await db.write(() => erase(userUuid)))
        if (signal?.aborted === true) return
    await db.write(async () => {
      // Locks the account: a request that was under way all the while either has left its rows, or fails.
      const account = db.sql.selectFrom('workspaces').select('uuid').where('uuid', '=', userUuid)
      await db.dialect.locking(account).execute()
      for (const erase of all) while (await erase(userUuid));
      for (const table of WORKSPACE_TABLES)
        await db.sql.deleteFrom(table).where('workspace_uuid', '=', userUuid).execute()
      for (const table of USER_TABLES)
        await db.sql.deleteFrom(table).where('user_uuid', '=', userUuid).execute()
      await invoices.detach(userUuid)
      await db.sql.deleteFrom('workspaces').where('uuid', '=', userUuid).execute()
      await db.sql.deleteFrom('users').where('uuid', '=', userUuid).execute()
      await db.sql.deleteFrom('erasures').where('workspace_uuid', '=', userUuid).execute()
    })
    await blobs.settled()
    this.#deps.erased()
  }

  /** Files return 410 from now on, except those that another account uses as well. */
  readonly #eraseFiles: Erase = async (userUuid) => {
    const { blobs, tombstones } = this.#deps
    const hashes = [
      ...(await blobs.releaseAll({ workspace: userUuid })),
      ...(await blobs.releaseAll({ user: userUuid })),
    ]
    await tombstones.bury(hashes.map((hash) => ['media', hash]))
    return hashes.length > 0
  }
}
