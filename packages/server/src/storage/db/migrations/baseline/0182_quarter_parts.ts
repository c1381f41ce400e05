import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/**
 * Sums by quarter of an hour are in four parts of each week (clicks/weeks/week.ts): all weeks are added up again. Until then
 * their clicks are gone through.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into due_weeks (user_key, week)
    select user_key, week from click_weeks where part = 'contents' on conflict do nothing`.execute(db)
  await sql`delete from click_weeks`.execute(db)
}
