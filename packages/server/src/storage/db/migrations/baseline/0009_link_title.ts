import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'links', 'title', 'text?')
}
