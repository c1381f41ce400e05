import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/**
 * The visits of a day as they came, many in one row; the reader of the spool keeps them in memory
 * (clicks/counting/visit-log.ts). `visits` takes those of a day that has too many for that. Visits of earlier development
 * versions are dropped: visitors of the day of the upgrade are counted once more.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const isSqlite = dialect.engine === 'sqlite'
  const [integer, bytes] = isSqlite ? ['integer', 'blob'] : ['bigint', 'bytea']
  await sql`delete from visits`.execute(db)
  await sql
    .raw(
      `create table visit_log (day ${integer} not null, sequence ${integer} not null, visits ${integer} not null,
        data ${bytes} not null, primary key (day, sequence)) ${isSqlite ? 'strict' : ''}`,
    )
    .execute(db)
  // Numbers at random: there is nothing to compress.
  if (!isSqlite) await sql`alter table visit_log alter column data set storage external`.execute(db)
}
