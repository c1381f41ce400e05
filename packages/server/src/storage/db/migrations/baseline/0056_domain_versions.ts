import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** When the settings of a domain last changed: edits are held against it. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'domains', 'updated_at', { int: 0 })
  await sql`update domains set updated_at = created_at`.execute(db)
}
