import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'links', 'archived', { int: 0 })
  await dialect.addColumn(db, 'links', 'starts_at', 'int?')
  await dialect.addColumn(db, 'links', 'forward_query', { int: 0 })
  await dialect.addColumn(db, 'links', 'imported_clicks', { int: 0 })
}
