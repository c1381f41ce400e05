import type { Database } from '../../storage/db/database.ts'
import type { WebhookRow } from '../../storage/db/tables.ts'
import { createRestorableRows } from '../owned/owned-rows.ts'
import { bumpVersion, readVersion } from '../../storage/db/totals.ts'

export type { WebhookRow }

const VERSION = 'webhooks'

export function createWebhookStore(db: Database) {
  const changed = (): Promise<void> => bumpVersion(db, VERSION)

  return {
    /** Makes every process reload the accounts with webhooks. */
    changed,
    /** The common functions of owned resources; call `changed` after changes through them. */
    owned: createRestorableRows(db, 'webhooks', { searched: [] }),
    async insert(row: WebhookRow): Promise<void> {
      await db.sql.insertInto('webhooks').values(row).execute()
      await changed()
    },
    list(workspaceUuid: string): Promise<WebhookRow[]> {
      return db.sql
        .selectFrom('webhooks')
        .selectAll()
        .where('workspace_uuid', '=', workspaceUuid)
        .where('trashed_at', '=', 0)
        .orderBy('uuid', 'desc')
        .execute()
    },
    /** The row, locked until this write ends; undefined if it is in the trash. */
    lock(uuid: string): Promise<WebhookRow | undefined> {
      const query = db.sql
        .selectFrom('webhooks')
        .selectAll()
        .where('uuid', '=', uuid)
        .where('trashed_at', '=', 0)
      return db.dialect.locking(query).executeTakeFirst()
    },
    /** Stores the delivery that reported clicks. */
    async noteClicksReported(uuid: string, deliveryUuid: string): Promise<void> {
      await db.sql
        .updateTable('webhooks')
        .set({ clicks_delivery_uuid: deliveryUuid })
        .where('uuid', '=', uuid)
        .execute()
    },
    /** Keeps two requests of an account from both adding its last webhook. */
    async lockAccount(workspaceUuid: string): Promise<void> {
      const account = db.sql.selectFrom('workspaces').select('uuid').where('uuid', '=', workspaceUuid)
      await db.dialect.locking(account).execute()
    },
    /** Stores when deliveries began to fail. */
    async markFailing(uuid: string, at: number): Promise<void> {
      await db.sql
        .updateTable('webhooks')
        .set({ failing_since: at })
        .where('uuid', '=', uuid)
        .where('failing_since', 'is', null)
        .execute()
    },
    async markWorking(uuid: string): Promise<void> {
      await db.sql
        .updateTable('webhooks')
        .set({ failing_since: null })
        .where('uuid', '=', uuid)
        .where('failing_since', 'is not', null)
        .execute()
    },
    /** Disables a webhook if it has been failing since the given time or longer. */
    async disable(uuid: string, reason: string, at: number, failingSince: number): Promise<boolean> {
      const result = await db.sql
        .updateTable('webhooks')
        .set({ enabled: 0, disabled_reason: reason, updated_at: at })
        .where('uuid', '=', uuid)
        .where('enabled', '=', 1)
        .where('failing_since', '<=', failingSince)
        .executeTakeFirst()
      const isChanged = result.numUpdatedRows > 0n
      if (isChanged) await changed()
      return isChanged
    },
    /** Webhooks that a user created, in every workspace. */
    async disableAll(userUuid: string, reason: string, at: number): Promise<void> {
      await db.sql
        .updateTable('webhooks')
        .set({ enabled: 0, disabled_reason: reason, updated_at: at })
        .where('created_by', '=', userUuid)
        .where('enabled', '=', 1)
        .execute()
      await changed()
    },
    /** Every account with a webhook. */
    async subscribers(): Promise<string[]> {
      const rows = await db.sql
        .selectFrom('webhooks')
        .select('workspace_uuid')
        .distinct()
        .where('enabled', '=', 1)
        .where('trashed_at', '=', 0)
        .execute()
      return rows.map((row) => row.workspace_uuid)
    },
    version(): Promise<number> {
      return readVersion(db, VERSION)
    },
  }
}

export type WebhookStore = ReturnType<typeof createWebhookStore>
