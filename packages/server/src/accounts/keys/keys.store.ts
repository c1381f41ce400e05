import type { Database } from '../../storage/db/database.ts'
import type { ApiKeyRow } from '../../storage/db/tables.ts'
import { type ListWindow, pageOf } from '../../modules/owned/listing.ts'

export type { ApiKeyRow }

export function createKeyStore(db: Database) {
  const usable = () => db.sql.selectFrom('api_keys').selectAll('api_keys').where('revoked_at', 'is', null)

  return {
    async insert(row: ApiKeyRow): Promise<void> {
      await db.sql.insertInto('api_keys').values(row).execute()
    },
    /** A key that may be used: not revoked, and its account is there. */
    findByKey(apiKey: string): Promise<ApiKeyRow | undefined> {
      return usable()
        .innerJoin('workspaces', 'workspaces.uuid', 'api_keys.workspace_uuid')
        .where('workspaces.removed_at', 'is', null)
        .where('api_key', '=', apiKey)
        .executeTakeFirst()
    },
    list(workspaceUuid: string, window: ListWindow): Promise<ApiKeyRow[]> {
      return pageOf(usable().where('workspace_uuid', '=', workspaceUuid), window).execute()
    },
    async count(workspaceUuid: string): Promise<number> {
      const row = await db.sql
        .selectFrom('api_keys')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('workspace_uuid', '=', workspaceUuid)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return row?.count ?? 0
    },
    /** The api_key that was revoked, or undefined. */
    async revoke(workspaceUuid: string, uuid: string, at: number): Promise<string | undefined> {
      const row = await db.sql
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('workspace_uuid', '=', workspaceUuid)
        .where('uuid', '=', uuid)
        .where('revoked_at', 'is', null)
        .returning('api_key')
        .executeTakeFirst()
      return row?.api_key
    },
    /** Revokes what a user created, in one workspace or in all; or makes it another user's. */
    async endAll(userUuid: string, at: number, workspaceUuid?: string, heirUuid?: string): Promise<void> {
      const rows = db.sql
        .updateTable('api_keys')
        .set(heirUuid === undefined ? { revoked_at: at } : { created_by: heirUuid, by_operator: 0 })
        .where('created_by', '=', userUuid)
        .where('revoked_at', 'is', null)
      await (workspaceUuid === undefined ? rows : rows.where('workspace_uuid', '=', workspaceUuid)).execute()
    },
    /** Every usable key with its account, for the command line. */
    listAll(email: string | undefined): Promise<(ApiKeyRow & { email: string })[]> {
      const rows = usable().innerJoin('users', 'users.uuid', 'api_keys.created_by').select('users.email')
      return (email === undefined ? rows : rows.where('users.email', '=', email))
        .orderBy('api_keys.uuid')
        .execute()
    },
    async touch(uuid: string, at: number): Promise<void> {
      await db.sql.updateTable('api_keys').set({ last_used_at: at }).where('uuid', '=', uuid).execute()
    },
  }
}

export type KeyStore = ReturnType<typeof createKeyStore>
