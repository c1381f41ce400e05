import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** The links and pages that the weeks of 0180 are about, numbered for thirteen weeks (clicks/weeks/season-links.ts). */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const isSqlite = dialect.engine === 'sqlite'
  const [integer, bytes] = isSqlite ? ['integer', 'blob'] : ['bigint', 'bytea']
  await sql
    .raw(
      `create table season_links (user_key ${integer} not null, season ${integer} not null, keys ${bytes} not null,
        primary key (user_key, season)) ${isSqlite ? 'strict' : ''}`,
    )
    .execute(db)
  // Random numbers, which do not get smaller.
  if (!isSqlite) await sql`alter table season_links alter column keys set storage external`.execute(db)
}
