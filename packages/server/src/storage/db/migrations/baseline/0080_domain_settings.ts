import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const column of ['root_url', 'not_found_url', 'expired_url', 'brand_name', 'brand_color'])
    await dialect.addColumn(db, 'domains', column, 'text?')
  await dialect.addColumn(db, 'domains', 'logo_hash', 'key?')
}
