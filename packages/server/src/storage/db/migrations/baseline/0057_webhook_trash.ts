import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** Removed webhooks stay for a while, as other resources do. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'webhooks', 'trashed_at', { int: 0 })
}
