import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** When a link was imported: imports are forgotten after 90 days, and the history of a link is not. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'links', 'imported_at', 'int?')
}
