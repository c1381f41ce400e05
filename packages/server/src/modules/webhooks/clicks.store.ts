import type { Database } from '../../storage/db/database.ts'
import type { WebhookClicksRow } from '../../storage/db/tables.ts'

export type { WebhookClicksRow }

const REMOVED_AT_ONCE = 500

/** Clicks waiting to be sent to webhooks. */
export function createWebhookClickStore(db: Database) {
  const removeSome = async (column: 'workspace_uuid' | 'webhook_uuid', value: string): Promise<boolean> => {
    const some = db.sql
      .selectFrom('webhook_clicks')
      .select('uuid')
      .where(column, '=', value)
      .limit(REMOVED_AT_ONCE)
    const result = await db.sql.deleteFrom('webhook_clicks').where('uuid', 'in', some).executeTakeFirst()
    return result.numDeletedRows > 0n
  }

  return {
    /** The webhooks with waiting clicks. */
    async waiting(take: number): Promise<string[]> {
      const rows = await db.sql
        .selectFrom('webhook_clicks')
        .select('webhook_uuid')
        .distinct()
        .limit(take)
        .execute()
      return rows.map((row) => row.webhook_uuid)
    },
    /** The waiting clicks of one webhook, oldest first. Locked, so that two processes do not send the same clicks. */
    list(webhookUuid: string, take: number): Promise<WebhookClicksRow[]> {
      const query = db.sql
        .selectFrom('webhook_clicks')
        .selectAll()
        .where('webhook_uuid', '=', webhookUuid)
        .orderBy('uuid')
        .limit(take)
      return db.dialect.locking(query).execute()
    },
    async insert(row: WebhookClicksRow): Promise<void> {
      await db.sql.insertInto('webhook_clicks').values(row).execute()
    },
    async remove(uuids: readonly string[]): Promise<void> {
      if (uuids.length > 0) await db.sql.deleteFrom('webhook_clicks').where('uuid', 'in', uuids).execute()
    },
    removeSomeOfWebhook: (webhookUuid: string): Promise<boolean> => removeSome('webhook_uuid', webhookUuid),
    removeSomeOfUser: (workspaceUuid: string): Promise<boolean> =>
      removeSome('workspace_uuid', workspaceUuid),
  }
}

export type WebhookClickStore = ReturnType<typeof createWebhookClickStore>
