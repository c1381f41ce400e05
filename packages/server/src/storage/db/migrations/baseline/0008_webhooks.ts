import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'webhooks', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      url: 'text',
      description: 'text?',
      events: 'text?',
      enabled: 'int',
      disabled_reason: 'text?',
      failing_since: 'int?',
      secret_sealed: 'text',
      created_at: 'int',
      updated_at: 'int',
    },
    primary: ['uuid'],
    references: { user_uuid: 'users.uuid' },
    indexes: [['user_uuid', 'uuid']],
  })
  // Refers to no webhook by a foreign key: the deliveries of one that is removed are cleared away in batches.
  await dialect.createTable(db, 'webhook_deliveries', {
    columns: {
      uuid: 'key',
      webhook_uuid: 'key',
      user_uuid: 'key',
      type: 'key',
      body: 'text',
      state: 'key',
      attempts: 'int',
      due_at: 'int?',
      status: 'int?',
      error: 'text?',
      created_at: 'int',
      last_attempt_at: 'int?',
      ended_at: 'int?',
    },
    primary: ['uuid'],
    references: { user_uuid: 'users.uuid' },
    // The last column lets the sender pass over the backlog of a busy webhook without reading it.
    indexes: [['webhook_uuid', 'uuid'], ['user_uuid'], ['due_at', 'uuid', 'webhook_uuid'], ['ended_at']],
  })
}
