import { sql, type Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/**
 * Removed rows stay for a while, so that they can be restored. `trashed_at` is 0 and not null for the others: as an
 * equality in front of `uuid` it lets one index serve lists, the trash and all rows of a user.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const table of ['links', 'qrcodes', 'barcodes', 'utm_links', 'pages']) {
    await dialect.addColumn(db, table, 'trashed_at', { int: 0 })
    await dialect.createIndex(db, table, ['user_uuid', 'trashed_at', 'uuid'])
    await sql`drop index ${sql.id(`${table}_user_uuid_uuid`)}`.execute(db)
  }
  await dialect.createTable(db, 'trash', {
    columns: { uuid: 'key', user_uuid: 'key', type: 'key', label: 'text', trashed_at: 'int' },
    primary: ['uuid'],
    references: { user_uuid: 'users.uuid' },
    indexes: [['user_uuid', 'trashed_at', 'uuid'], ['trashed_at']],
  })
}
