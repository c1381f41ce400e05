import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Single clicks are kept for a year. None of them says which visitor it was, not even by a hash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table clicks drop column visitor`.execute(db)
}
