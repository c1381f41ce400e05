import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'pages', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      domain: 'key',
      slug: 'key',
      title: 'text',
      subtext: 'text?',
      config: 'text',
      link_uuid: 'key?',
      qrcode_uuid: 'key?',
      views: 'int',
      version: 'key',
      created_at: 'int',
      updated_at: 'int',
    },
    primary: ['uuid'],
    references: { user_uuid: 'users.uuid' },
    indexes: [['user_uuid', 'uuid'], ['link_uuid']],
  })
  await dialect.createTable(db, 'page_slugs', {
    columns: { domain: 'key', slug: 'key', page_uuid: 'key', created_at: 'int' },
    primary: ['domain', 'slug'],
    references: { page_uuid: 'pages.uuid cascade' },
    indexes: [['page_uuid']],
    clustered: true,
  })
}
