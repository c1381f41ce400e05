import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/**
 * Domains and claims are owned rows with a uuid and a version, as other resources are. They are created anew: this runs
 * before the first release, on tables that have no rows.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`drop table domain_claims`.execute(db)
  await sql`drop table domains`.execute(db)
  await dialect.createTable(db, 'domains', {
    columns: {
      uuid: 'key',
      name: 'key',
      user_uuid: 'key?',
      token: 'key',
      verified_at: 'int?',
      root_url: 'text?',
      not_found_url: 'text?',
      expired_url: 'text?',
      brand_name: 'text?',
      brand_color: 'text?',
      logo_hash: 'key?',
      created_at: 'int',
      updated_at: 'int',
    },
    primary: ['uuid'],
    unique: [['name']],
    references: { user_uuid: 'users.uuid' },
    indexes: [['user_uuid', 'uuid']],
  })
  await dialect.createTable(db, 'domain_claims', {
    columns: {
      uuid: 'key',
      name: 'key',
      user_uuid: 'key',
      token: 'key',
      created_at: 'int',
      updated_at: 'int',
    },
    primary: ['uuid'],
    unique: [['name', 'user_uuid']],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid', 'uuid'], ['created_at']],
  })
}
