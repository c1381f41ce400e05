import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'imports', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      state: 'key',
      source: 'key',
      unit: 'key',
      filename: 'text',
      on_taken: 'key?',
      domain: 'key?',
      file_hash: 'key?',
      file_key: 'text?',
      read_bytes: 'int',
      total: 'int',
      importable: 'int',
      processed: 'int',
      created: 'int',
      skipped: 'int',
      renamed: 'int',
      columns: 'text',
      first_rows: 'text',
      problems: 'text',
      problem_count: 'int',
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
  // Refers to no link by a foreign key: a link that is removed must not have to look for its import.
  await dialect.createTable(db, 'imported_links', {
    columns: { import_uuid: 'key', link_uuid: 'key' },
    primary: ['import_uuid', 'link_uuid'],
    references: { import_uuid: 'imports.uuid cascade' },
    clustered: true,
  })
}
