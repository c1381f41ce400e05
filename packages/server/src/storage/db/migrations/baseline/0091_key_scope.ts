import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** Keys that may only read. A key without a value may do everything. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'api_keys', 'scope', 'key?')
}
