import { AppError } from '../../net/errors.ts'
import type { Erase } from '../../modules/module.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import type { Database } from '../../storage/db/database.ts'
import { BLOCKS_VERSION, bumpVersion } from '../../storage/db/totals.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import type { UserStore } from './users.store.ts'
import type { OwnWorkspace, WorkspaceStore } from './workspaces.store.ts'
import type { InvoiceStore } from './invoices.store.ts'

export interface RemovalDependencies {
  readonly db: Database
  readonly blobs: BlobReferences
  readonly users: Pick<UserStore, 'lock'>
  readonly workspaces: WorkspaceStore
  readonly invoices: Pick<InvoiceStore, 'detach'>
  /** Erase the data of each module, in an order that references allow; each ends before the next begins. */
  readonly erasers: () => readonly Erase[]
  /** Revokes the keys and tokens that a user created, in all workspaces. */
  readonly endMembership: (userUuid: string) => Promise<void>
  readonly tombstones: Tombstones
  /** Notifies every process to forget the account and its resources. */
  readonly accountRemoved: () => void
  /** Called when everything of an account is deleted. */
  readonly erased: () => void
  readonly now: () => number
  readonly newId: () => string
}

const WORKSPACE_TABLES = ['idempotency', 'totals', 'trash'] as const
const USER_TABLES = ['feedback', 'password_resets'] as const

/**
 * Deletes users and workspaces. A small transaction closes them first; then their rows and files are deleted in batches. The
 * request stays in the database until the last batch, so that a crash only interrupts it.
 */
export class RemovalService {
  readonly #deps: RemovalDependencies

  constructor(deps: RemovalDependencies) {
    this.#deps = deps
  }

  /** After this commits, the user no longer exists, nor do the workspaces without another member. */
  async remove(userUuid: string, reason: string): Promise<void> {
    const { db, workspaces, endMembership, now, newId, accountRemoved } = this.#deps
    await db.write(async () => {
      const at = now()
      const mine = await this.#lockAll(userUuid)
      const others = await workspaces.othersIn(userUuid)
      const left = mine.filter(({ uuid }) => {
        const rest = others.filter(({ workspace_uuid }) => workspace_uuid === uuid)
        return rest.length > 0 && !rest.some(({ role }) => role === 'owner')
      })
      if (left.length > 0)
        throw new AppError('workspaces_left', {
          message: `Make another member owner first, or remove the workspace: ${left.map(({ name }) => name).join(', ')}`,
          extra: { workspaces: left.map(({ uuid, name }) => ({ uuid, name })) },
        })
      await db.sql
        .updateTable('users')
        .set({ removed_at: at, updated_at: at })
        .where('uuid', '=', userUuid)
        .execute()
      for (const { uuid } of mine)
        if (others.some(({ workspace_uuid }) => workspace_uuid === uuid))
          await workspaces.removeMember(uuid, userUuid)
        else await this.#close(uuid, userUuid, at)
      // Those of the command line may be of workspaces that the user is not a member of.
      await endMembership(userUuid)
      await workspaces.removeInvitationsBy(userUuid)
      await db.sql.deleteFrom('sessions').where('user_uuid', '=', userUuid).execute()
      await db.sql.insertInto('removal_reasons').values({ uuid: newId(), reason, created_at: at }).execute()
      db.afterCommit(accountRemoved)
    })
  }

  /** After this commits, the workspace no longer exists; `eraseWorkspace` deletes its data. */
  async removeWorkspace(workspaceUuid: string): Promise<void> {
    const { db, now, accountRemoved } = this.#deps
    await db.write(async () => {
      await this.#close(workspaceUuid, null, now())
      db.afterCommit(accountRemoved)
    })
  }

  /**
   * The workspaces of a user, after locking these and the user. A workspace that the user creates or joins meanwhile is
   * either in the list, or rejected because the user no longer exists.
   */
  async #lockAll(userUuid: string): Promise<OwnWorkspace[]> {
    const { users, workspaces } = this.#deps
    await workspaces.lockOf(userUuid)
    await users.lock(userUuid)
    const mine = await workspaces.listOf(userUuid)
    await workspaces.lock(mine.map(({ uuid }) => uuid))
    return mine
  }

  async #close(workspaceUuid: string, userUuid: string | null, at: number): Promise<void> {
    const { db, workspaces } = this.#deps
    await workspaces.update(workspaceUuid, { removed_at: at, updated_at: at })
    // The command line cannot notify a server on SQLite, which would serve cached links and pages for a minute.
    await bumpVersion(db, BLOCKS_VERSION)
    for (const table of ['api_keys', 'tokens', 'members', 'invitations'] as const)
      await db.sql.deleteFrom(table).where('workspace_uuid', '=', workspaceUuid).execute()
    await db.sql
      .insertInto('erasures')
      .values({ workspace_uuid: workspaceUuid, user_uuid: userUuid, requested_at: at })
      .onConflict((conflict) => conflict.column('workspace_uuid').doNothing())
      .execute()
  }

  /** Continues deletions that a crash interrupted. */
  async resume(signal?: AbortSignal): Promise<void> {
    const { db } = this.#deps
    const open = await db.sql.selectFrom('erasures').select('workspace_uuid').execute()
    for (const { workspace_uuid } of open) await this.eraseWorkspace(workspace_uuid, signal)
    const users = await db.sql
      .selectFrom('users')
      .select('uuid')
      .where('removed_at', 'is not', null)
      .execute()
    for (const { uuid } of users) await this.erase(uuid, signal)
  }

  /** Erases a deleted user and their workspaces; an aborted signal stops it at the end of a batch. */
  async erase(userUuid: string, signal?: AbortSignal): Promise<void> {
    const { db, blobs, tombstones } = this.#deps
    const open = await db.sql
      .selectFrom('erasures')
      .select('workspace_uuid')
      .where('user_uuid', '=', userUuid)
      .execute()
    for (const { workspace_uuid } of open) await this.eraseWorkspace(workspace_uuid, signal)
    if (signal?.aborted === true) return
    await db.write(async () => {
      await db.dialect
        .locking(db.sql.selectFrom('users').select('uuid').where('uuid', '=', userUuid))
        .execute()
      for (;;) {
        const hashes = await blobs.releaseAll({ user: userUuid })
        await tombstones.add(hashes.map((hash) => ['media', hash]))
        if (hashes.length === 0) break
      }
      for (const table of USER_TABLES)
        await db.sql.deleteFrom(table).where('user_uuid', '=', userUuid).execute()
      await db.sql.deleteFrom('users').where('uuid', '=', userUuid).execute()
    })
    await blobs.settled()
    this.#deps.erased()
  }

  /** Erases the rows and files of a deleted workspace; an aborted signal stops it at the end of a batch. */
  async eraseWorkspace(workspaceUuid: string, signal?: AbortSignal): Promise<void> {
    const { db, erasers, blobs, invoices, workspaces } = this.#deps
    const all = [...erasers(), this.#eraseFiles]
    for (const erase of all)
      for (let isLeft = true; isLeft; isLeft = await db.write(() => erase(workspaceUuid)))
        if (signal?.aborted === true) return
    await db.write(async () => {
      // Locks the workspace: a request that is still running has either stored its rows, or fails.
      await workspaces.lock([workspaceUuid])
      for (const erase of all) while (await erase(workspaceUuid));
      for (const table of WORKSPACE_TABLES)
        await db.sql.deleteFrom(table).where('workspace_uuid', '=', workspaceUuid).execute()
      await invoices.detach(workspaceUuid)
      await db.sql.deleteFrom('workspaces').where('uuid', '=', workspaceUuid).execute()
      await db.sql.deleteFrom('erasures').where('workspace_uuid', '=', workspaceUuid).execute()
    })
    await blobs.settled()
    this.#deps.erased()
  }

  /** Files return 410 from now on, except those that another workspace uses as well. */
  readonly #eraseFiles: Erase = async (workspaceUuid) => {
    const { blobs, tombstones } = this.#deps
    const hashes = await blobs.releaseAll({ workspace: workspaceUuid })
    await tombstones.add(hashes.map((hash) => ['media', hash]))
    return hashes.length > 0
  }
}
