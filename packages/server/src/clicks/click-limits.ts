import { sql } from 'kysely'
import type { Database } from '../storage/db/database.ts'

/** Uses up one of the redirects that a click limit allows. Counted synchronously; clicks are counted a moment later. */
export function takeClick(db: Database, linkId: string, maxClicks: number): Promise<boolean> {
  return db.write(async () => {
    const { numAffectedRows } = await sql`
      insert into limited_clicks (link_uuid, used) select uuid, 1 from links where uuid = ${linkId}
      on conflict (link_uuid) do update set used = limited_clicks.used + 1 where limited_clicks.used < ${maxClicks}
    `.execute(db.sql)
    return (numAffectedRows ?? 0n) > 0n
  })
}

export async function hasClicksLeft(db: Database, linkId: string, maxClicks: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom('limited_clicks')
    .select('used')
    .where('link_uuid', '=', linkId)
    .executeTakeFirst()
  return (row?.used ?? 0) < maxClicks
}

/** A new limit starts at the clicks known so far. Called inside the write that sets the limit. */
export async function startFromKnownClicks(db: Database, linkId: string): Promise<void> {
  await sql`
    insert into limited_clicks (link_uuid, used) select uuid, clicks from links where uuid = ${linkId}
    on conflict (link_uuid) do update set used = excluded.used where limited_clicks.used < excluded.used
  `.execute(db.sql)
}
