import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** One name for the part of a short link after the slash: `code` alone could be a QR code. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`alter table links rename column code to short_code`.execute(db)
  await sql`alter table codes rename column code to short_code`.execute(db)
  await sql`alter table codes rename to short_codes`.execute(db)
  await sql`drop index codes_link_uuid`.execute(db)
  await dialect.createIndex(db, 'short_codes', ['link_uuid'])
}
