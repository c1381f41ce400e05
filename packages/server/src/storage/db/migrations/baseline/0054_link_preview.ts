import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** The card that apps show when a link is shared, as JSON. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'links', 'preview', 'text?')
}
