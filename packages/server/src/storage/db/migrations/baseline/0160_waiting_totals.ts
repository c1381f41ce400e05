import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** What counted clicks add to links and pages, until it is added: see clicks/counting/waiting-totals.ts. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'waiting_totals', {
    columns: { id: 'key', totals: 'text' },
    primary: ['id'],
  })
  // They wait a second: compressing them would cost more than it saves.
  if (dialect.engine === 'postgres')
    await sql`alter table waiting_totals alter column totals set storage external`.execute(db)
}
