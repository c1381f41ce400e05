import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** Colours and logo of an account, as JSON. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'users', 'brand_kit', 'text?')
}
