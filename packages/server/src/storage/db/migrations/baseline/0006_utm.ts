import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'utm_links', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      url: 'text',
      source: 'text?',
      medium: 'text?',
      campaign: 'text?',
      content: 'text?',
      term: 'text?',
      utm_url: 'text',
      link_uuid: 'key?',
      warnings: 'text',
      created_at: 'int',
      updated_at: 'int',
    },
    primary: ['uuid'],
    references: { user_uuid: 'users.uuid' },
    indexes: [['user_uuid', 'uuid'], ['link_uuid']],
  })
}
