import { sql, type Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** Accounts that exist before this migration count as confirmed. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'users', 'confirmed_at', 'int?')
  await sql`update users set confirmed_at = created_at`.execute(db)
  await dialect.createTable(db, 'email_confirmations', {
    columns: { token_hash: 'key', user_uuid: 'key', email: 'key', expires_at: 'int' },
    primary: ['token_hash'],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid']],
  })
}
