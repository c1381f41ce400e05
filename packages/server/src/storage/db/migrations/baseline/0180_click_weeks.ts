import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** 5 January 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** What weeks add up to for each link (clicks/weeks), and which weeks have to be added up: all that there are. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const isSqlite = dialect.engine === 'sqlite'
  const [key, integer, bytes] = isSqlite
    ? ['text', 'integer', 'blob']
    : ['text collate "C"', 'bigint', 'bytea']
  await sql
    .raw(
      `create table click_weeks (user_key ${integer} not null, week ${integer} not null, part ${key} not null,
        data ${bytes} not null, primary key (user_key, week, part)) ${isSqlite ? 'strict' : ''}`,
    )
    .execute(db)
  // Read more often than it is written, and small numbers already.
  if (!isSqlite) await sql`alter table click_weeks alter column data set storage external`.execute(db)
  await dialect.createTable(db, 'due_weeks', {
    columns: { user_key: 'int', week: 'int' },
    primary: ['user_key', 'week'],
    clustered: true,
  })
  await sql
    .raw(
      `insert into due_weeks (user_key, week)
        select distinct user_key, day - (day - ${FIRST_MONDAY_MS}) % ${WEEK_MS} from click_batches where open_day is null`,
    )
    .execute(db)
}
