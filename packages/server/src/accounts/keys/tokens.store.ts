import { type ListWindow, pageOf } from '../../modules/owned/listing.ts'
import type { Database } from '../../storage/db/database.ts'
import type { TokenRow } from '../../storage/db/tables.ts'

export type { TokenRow }

export function createTokenStore(db: Database) {
  const usable = () => db.sql.selectFrom('tokens').selectAll('tokens').where('revoked_at', 'is', null)
  return {
    async insert(row: TokenRow): Promise<void> {
      await db.sql.insertInto('tokens').values(row).execute()
    },
    /** A token that may be used: not revoked, and its workspace is there. */
    findByHash(tokenHash: string): Promise<TokenRow | undefined> {
      return usable()
        .innerJoin('workspaces', 'workspaces.uuid', 'tokens.workspace_uuid')
        .where('workspaces.removed_at', 'is', null)
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
    },
    list(workspaceUuid: string, window: ListWindow): Promise<TokenRow[]> {
      return pageOf(usable().where('workspace_uuid', '=', workspaceUuid), window).execute()
    },
    async count(workspaceUuid: string): Promise<number> {
      const row = await db.sql
        .selectFrom('tokens')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('workspace_uuid', '=', workspaceUuid)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return row?.count ?? 0
    },
    async revoke(workspaceUuid: string, uuid: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db.sql
        .updateTable('tokens')
        .set({ revoked_at: at })
        .where('workspace_uuid', '=', workspaceUuid)
        .where('uuid', '=', uuid)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** Revokes what a user created, in one workspace or in all; or makes it another user's. */
    async endAll(userUuid: string, at: number, workspaceUuid?: string, heirUuid?: string): Promise<void> {
      const rows = db.sql
        .updateTable('tokens')
        .set(heirUuid === undefined ? { revoked_at: at } : { created_by: heirUuid })
        .where('created_by', '=', userUuid)
        .where('revoked_at', 'is', null)
      await (workspaceUuid === undefined ? rows : rows.where('workspace_uuid', '=', workspaceUuid)).execute()
    },
    async touch(uuid: string, at: number): Promise<void> {
      await db.sql.updateTable('tokens').set({ last_used_at: at }).where('uuid', '=', uuid).execute()
    },
  }
}

export type TokenStore = ReturnType<typeof createTokenStore>
