import type { Pool, PoolClient } from 'pg'
import type { Owner } from '../../batches/user-days.ts'
import type { ResourceTotal, ResourceTotals } from '../click-totals.ts'
import { isCode } from '../code-owners.ts'
import { addedUp } from '../waiting-totals.ts'

interface OwnerRow {
  readonly uuid: string
  readonly workspace_uuid: string
  readonly owner_type: string | null
  readonly domain: string
  readonly name: string
}

/** Whom each link and page belongs to; one that is gone has no owner. */
export async function ownersOf(db: Pool, { links, pages }: ResourceTotals): Promise<Map<string, Owner>> {
  const owners = new Map<string, Owner>()
  for (const row of [...(await ownerRows(db, 'links', links)), ...(await ownerRows(db, 'pages', pages))])
    owners.set(row.uuid, {
      userUuid: row.workspace_uuid,
      ofCode: isCode(row.owner_type),
      domain: row.domain,
      name: row.name,
    })
  return owners
}

async function ownerRows(
  db: Pool,
  table: 'links' | 'pages',
  totals: readonly ResourceTotal[],
): Promise<OwnerRow[]> {
  if (totals.length === 0) return []
  const columns = table === 'links' ? 'owner_type, short_code as name' : 'null as owner_type, slug as name'
  const { rows } = await db.query<OwnerRow>(
    `select uuid, workspace_uuid, domain, ${columns} from ${table} where uuid = any($1::text[])`,
    [uuidsOf(totals)],
  )
  return rows
}

/** Adds them to the links and pages. */
export async function addTotals(client: PoolClient, { links, pages }: ResourceTotals): Promise<void> {
  if (links.length > 0) {
    await lock(client, 'links', links)
    await client.query(
      `update links l set clicks = l.clicks + t.clicks, bot_clicks = l.bot_clicks + t.bots,
          last_click_at = greatest(l.last_click_at, t.last_at)
        from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) as t (uuid, clicks, bots, last_at)
        where l.uuid = t.uuid`,
      [
        uuidsOf(links),
        links.map(({ clicks }) => clicks),
        links.map(({ bots }) => bots),
        links.map(({ lastAtMs }) => lastAtMs),
      ],
    )
  }
  if (pages.length > 0) {
    await lock(client, 'pages', pages)
    await client.query(
      `update pages p set views = p.views + t.views
        from unnest($1::text[], $2::bigint[]) as t (uuid, views) where p.uuid = t.uuid`,
      [uuidsOf(pages), pages.map(({ clicks }) => clicks)],
    )
  }
}

/** In the order of the keys, as every node does, so that two of them never wait for each other. */
async function lock(
  client: PoolClient,
  table: 'links' | 'pages',
  totals: readonly ResourceTotal[],
): Promise<void> {
  await client.query(
    `select count(*) from (select from ${table} where uuid = any($1::text[])
      order by uuid for no key update) as locked`,
    [uuidsOf(totals)],
  )
}

/** Inside a transaction; `undefined` if nothing waits that no other node is adding already. */
export async function settleTotals(client: PoolClient): Promise<true | undefined> {
  const { rows } = await client.query<{ totals: string }>(
    `delete from waiting_totals where id in
      (select id from waiting_totals order by id limit 64 for update skip locked) returning totals`,
  )
  if (rows.length === 0) return undefined
  await addTotals(client, addedUp(rows.map(({ totals }) => totals)))
  return true
}

function uuidsOf(totals: readonly ResourceTotal[]): string[] {
  return totals.map(({ resourceUuid }) => resourceUuid)
}
