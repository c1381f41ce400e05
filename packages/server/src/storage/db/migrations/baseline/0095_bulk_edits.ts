import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'bulk_edits', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      key_uuid: 'key?',
      state: 'key',
      filter: 'text?',
      change: 'text',
      position: 'key',
      total: 'int',
      processed: 'int',
      changed: 'int',
      skipped: 'int',
      undoable: 'int',
      error: 'text?',
      turn_at: 'int',
      created_at: 'int',
      updated_at: 'int',
      finished_at: 'int?',
    },
    primary: ['uuid'],
    references: { user_uuid: 'users.uuid' },
    indexes: [
      ['user_uuid', 'uuid'],
      ['state', 'turn_at'],
    ],
  })
  // Refers to no link by a foreign key: removing a link must not have to look for its bulk edits.
  await dialect.createTable(db, 'bulk_edited_links', {
    columns: { bulk_edit_uuid: 'key', link_uuid: 'key', done: 'text' },
    primary: ['bulk_edit_uuid', 'link_uuid'],
    references: { bulk_edit_uuid: 'bulk_edits.uuid cascade' },
    clustered: true,
  })
}
