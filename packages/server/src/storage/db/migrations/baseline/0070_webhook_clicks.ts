import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** Secrets that are replaced stay valid for a while, and webhooks can be told of clicks. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'webhooks', 'previous_secret_sealed', 'text?')
  await dialect.addColumn(db, 'webhooks', 'previous_secret_until', 'int?')
  await dialect.addColumn(db, 'webhooks', 'wants_clicks', 'int?')
  await dialect.addColumn(db, 'webhooks', 'clicks_delivery_uuid', 'key?')
  // Counting looks here with every batch.
  await dialect.createIndex(db, 'webhooks', ['wants_clicks?'])
  await dialect.createTable(db, 'webhook_clicks', {
    columns: { uuid: 'key', webhook_uuid: 'key', user_uuid: 'key', count: 'int', clicks: 'text' },
    primary: ['uuid'],
    indexes: [['webhook_uuid', 'uuid'], ['user_uuid']],
  })
}
