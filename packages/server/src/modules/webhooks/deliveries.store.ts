import { chunksOf, type Database } from '../../storage/db/database.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../../storage/db/tables.ts'

export type { WebhookDeliveryRow }

/** A due delivery with the current settings of its webhook; null if the webhook was deleted. */
export type DueDelivery = Pick<
  WebhookDeliveryRow,
  'uuid' | 'webhook_uuid' | 'workspace_uuid' | 'type' | 'body' | 'attempts'
> & {
  readonly due_at: number
  readonly url: string | null
  readonly enabled: WebhookRow['enabled'] | null
  readonly secret_sealed: string | null
  readonly previous_secret_sealed: string | null
  readonly previous_secret_until: number | null
  readonly failing_since: number | null
}

/** Which finished deliveries to resend. */
export interface Repeated {
  readonly delivery: string | undefined
  readonly since: number | undefined
  readonly state: 'delivered' | 'failed' | undefined
}

/** Rows per statement: far below the number of values that either engine accepts. */
const INSERTED_AT_ONCE = 100
const REMOVED_AT_ONCE = 500

export function createDeliveryStore(db: Database) {
  /** Deletes a batch; false when none is left. */
  const removeSome = async (
    column: 'workspace_uuid' | 'webhook_uuid' | 'ended_at',
    value: string | number,
  ): Promise<boolean> => {
    const some = db.sql
      .selectFrom('webhook_deliveries')
      .select('uuid')
      .where(column, column === 'ended_at' ? '<' : '=', value)
      .limit(REMOVED_AT_ONCE)
    const result = await db.sql.deleteFrom('webhook_deliveries').where('uuid', 'in', some).executeTakeFirst()
    return result.numDeletedRows > 0n
  }

  return {
    async insert(rows: readonly WebhookDeliveryRow[]): Promise<void> {
      for (const some of chunksOf(rows, INSERTED_AT_ONCE))
        await db.sql.insertInto('webhook_deliveries').values(some).execute()
    },
    list(webhookUuid: string, take: number): Promise<WebhookDeliveryRow[]> {
      return db.sql
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('webhook_uuid', '=', webhookUuid)
        .orderBy('uuid', 'desc')
        .limit(take)
        .execute()
    },
    async count(webhookUuid: string): Promise<number> {
      const { rows } = await db.sql
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .where('webhook_uuid', '=', webhookUuid)
        .executeTakeFirstOrThrow()
      return rows
    },
    /** Due deliveries, the longest waiting first, except those of busy webhooks. */
    async listDue(nowMs: number, busy: readonly string[], take: number): Promise<DueDelivery[]> {
      let query = db.sql
        .selectFrom('webhook_deliveries as d')
        // A webhook in the trash counts as deleted: its deliveries end.
        .leftJoin('webhooks as w', (join) =>
          join.onRef('w.uuid', '=', 'd.webhook_uuid').on('w.trashed_at', '=', 0),
        )
        .select([
          'd.uuid',
          'd.webhook_uuid',
          'd.workspace_uuid',
          'd.type',
          'd.body',
          'd.attempts',
          'd.due_at',
        ])
        .select(['w.url', 'w.enabled', 'w.failing_since', 'w.secret_sealed'])
        .select(['w.previous_secret_sealed', 'w.previous_secret_until'])
        .where('d.due_at', '<=', nowMs)
        .orderBy('d.due_at')
        .orderBy('d.uuid')
        .limit(take)
      if (busy.length > 0) query = query.where('d.webhook_uuid', 'not in', busy)
      return (await query.execute()) as DueDelivery[]
    },
    /** Changes a delivery, unless another process has taken it since it was read. */
    async update(
      { uuid, due_at }: { readonly uuid: string; readonly due_at: number },
      changes: Partial<WebhookDeliveryRow>,
    ): Promise<boolean> {
      const result = await db.sql
        .updateTable('webhook_deliveries')
        .set(changes)
        .where('uuid', '=', uuid)
        .where('due_at', '=', due_at)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    find(webhookUuid: string, uuid: string): Promise<WebhookDeliveryRow | undefined> {
      return db.sql
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('uuid', '=', uuid)
        .where('webhook_uuid', '=', webhookUuid)
        .executeTakeFirst()
    },
    /** Makes finished deliveries due again, oldest first; returns how many. */
    async repeat(webhookUuid: string, which: Repeated, at: number, take: number): Promise<number> {
      const { delivery, since, state } = which
      let some = db.sql
        .selectFrom('webhook_deliveries')
        .select('uuid')
        .where('webhook_uuid', '=', webhookUuid)
        .where('ended_at', 'is not', null)
        .orderBy('uuid')
        .limit(take)
      if (delivery !== undefined) some = some.where('uuid', '=', delivery)
      if (since !== undefined) some = some.where('created_at', '>=', since)
      if (state !== undefined) some = some.where('state', '=', state)
      const result = await db.sql
        .updateTable('webhook_deliveries')
        .set({ state: 'pending', due_at: at, attempts: 0, ended_at: null })
        .where('uuid', 'in', some)
        .executeTakeFirst()
      return Number(result.numUpdatedRows)
    },
    async remove(uuid: string): Promise<void> {
      await db.sql.deleteFrom('webhook_deliveries').where('uuid', '=', uuid).execute()
    },
    removeSomeOfWebhook: (webhookUuid: string): Promise<boolean> => removeSome('webhook_uuid', webhookUuid),
    removeSomeOfUser: (workspaceUuid: string): Promise<boolean> =>
      removeSome('workspace_uuid', workspaceUuid),
    removeSomeEnded: (beforeMs: number): Promise<boolean> => removeSome('ended_at', beforeMs),
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>
