import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'links', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      domain: 'key',
      code: 'key',
      url: 'text',
      description: 'text?',
      tag: 'key?',
      expires_at: 'int?',
      custom: 'int',
      redirect: 'int',
      password_hash: 'text?',
      max_clicks: 'int?',
      ios_url: 'text?',
      android_url: 'text?',
      owner_type: 'key?',
      owner_uuid: 'key?',
      clicks: 'int',
      bot_clicks: 'int',
      last_click_at: 'int?',
      created_at: 'int',
      updated_at: 'int',
    },
    primary: ['uuid'],
    references: { user_uuid: 'users.uuid' },
    indexes: [
      ['user_uuid', 'uuid'],
      ['user_uuid', 'tag?', 'uuid'],
    ],
    clustered: true,
  })
  await dialect.createTable(db, 'codes', {
    columns: { domain: 'key', code: 'key', link_uuid: 'key', created_at: 'int' },
    primary: ['domain', 'code'],
    references: { link_uuid: 'links.uuid cascade' },
    indexes: [['link_uuid']],
    clustered: true,
  })
  await dialect.createTable(db, 'tombstones', {
    columns: { hash: 'key', created_at: 'int' },
    primary: ['hash'],
    clustered: true,
  })
}
