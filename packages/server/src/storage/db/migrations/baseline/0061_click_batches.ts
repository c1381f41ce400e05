import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/**
 * Single clicks are kept by the user and day, many in one row, field by field (clicks/batches). Statistics with filters go
 * through them, and what a day adds up to is worked out once, when the day is over. Single clicks of earlier development
 * versions are dropped; what was counted from them stays.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const isSqlite = dialect.engine === 'sqlite'
  const [key, integer, bytes] = isSqlite
    ? ['text', 'integer', 'blob']
    : ['text collate "C"', 'bigint', 'bytea']
  await sql`drop table clicks`.execute(db)
  // `open_day` is the day until the batch is added up, then null.
  await sql
    .raw(
      `create table click_batches (user_key ${integer} not null, day ${integer} not null, id ${key} not null,
        open_day ${integer}, clicks ${integer} not null, data ${bytes} not null,
        primary key (user_key, day, id)) ${isSqlite ? 'strict' : ''}`,
    )
    .execute(db)
  // Packed already: compressing it again would cost more than it saves.
  if (!isSqlite) await sql`alter table click_batches alter column data set storage external`.execute(db)
  await dialect.createIndex(db, 'click_batches', ['open_day?'])
  await dialect.createIndex(db, 'click_batches', ['day'])
  for (const column of ['language', 'utm_source', 'utm_medium', 'utm_campaign', 'variant', 'rule', 'source'])
    await sql.raw(`alter table click_days add column ${column} text not null default ''`).execute(db)
}
