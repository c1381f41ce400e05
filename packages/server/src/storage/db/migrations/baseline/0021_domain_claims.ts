import { sql, type Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** A claim is per name and account, so that an unproven one keeps no other account from claiming the name. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'domain_claims', {
    columns: { name: 'key', user_uuid: 'key', token: 'key', created_at: 'int' },
    primary: ['name', 'user_uuid'],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid'], ['created_at']],
  })
  await sql`
    insert into domain_claims (name, user_uuid, token, created_at)
    select name, user_uuid, token, created_at from domains where verified_at is null and user_uuid is not null
  `.execute(db)
  await sql`delete from domains where verified_at is null`.execute(db)
}
