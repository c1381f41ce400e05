import { sql } from 'kysely'
import type { Database } from '../platform/db/database.ts'

/** Takes one of the redirects that a link allows. Counted apart from clicks, which arrive a moment later. */
export function takeUse(db: Database, linkId: string, maxClicks: number): Promise<boolean> {
  return db.write(async () => {
    const { numAffectedRows } = await sql`
      insert into link_uses (link_uuid, used) select uuid, 1 from links where uuid = ${linkId}
      on conflict (link_uuid) do update set used = link_uses.used + 1 where link_uses.used < ${maxClicks}
    `.execute(db.sql)
    return (numAffectedRows ?? 0n) > 0n
  })
}

export async function hasUse(db: Database, linkId: string, maxClicks: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom('link_uses')
    .select('used')
    .where('link_uuid', '=', linkId)
    .executeTakeFirst()
  return (row?.used ?? 0) < maxClicks
}
