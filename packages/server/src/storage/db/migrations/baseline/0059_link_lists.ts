import { sql, type Kysely } from 'kysely'

/** What the lists of links can be sorted and narrowed by; each query of them has one index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_by_clicks on links (user_uuid, trashed_at, clicks, uuid)`.execute(db)
  // Links that were never clicked come last on both engines, which sort nulls differently.
  await sql`create index links_by_last_click on links (user_uuid, trashed_at, coalesce(last_click_at, 0), uuid)`.execute(
    db,
  )
  // Few links are archived or can end, so that those that are not active are found without a look at all the others.
  await sql`create index links_set_aside on links (user_uuid, trashed_at, uuid)
    where archived = 1 or expires_at is not null or max_clicks is not null`.execute(db)
}
