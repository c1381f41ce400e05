import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** Changes to a page that are not published yet; null where there are none. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'pages', 'draft', 'text?')
}
