import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'qrcodes', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      url: 'text',
      description: 'text?',
      size: 'int',
      color: 'key',
      eye_color: 'key',
      background: 'key',
      margin: 'int',
      pattern: 'key',
      logo_hash: 'key?',
      dynamic: 'int',
      link_uuid: 'key?',
      encodes: 'text',
      drawing: 'text',
      warnings: 'text',
      version: 'key',
      created_at: 'int',
      updated_at: 'int',
    },
    primary: ['uuid'],
    references: { user_uuid: 'users.uuid' },
    indexes: [['user_uuid', 'uuid'], ['link_uuid']],
  })
  await dialect.createTable(db, 'barcodes', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      url: 'text',
      description: 'text?',
      size: 'real',
      color: 'key',
      text: 'text?',
      text_size: 'real',
      text_color: 'key',
      text_position: 'key',
      symbology: 'key',
      dynamic: 'int',
      link_uuid: 'key?',
      encodes: 'text',
      warnings: 'text',
      version: 'key',
      created_at: 'int',
      updated_at: 'int',
    },
    primary: ['uuid'],
    references: { user_uuid: 'users.uuid' },
    indexes: [['user_uuid', 'uuid'], ['link_uuid']],
  })
}
