import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** Rules and variants as JSON lists; null for none. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'links', 'rules', 'text?')
  await dialect.addColumn(db, 'links', 'variants', 'text?')
}
