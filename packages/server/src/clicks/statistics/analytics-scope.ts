import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../storage/db/database.ts'

/**
 * The links and pages whose clicks count for some items: links and pages themselves, otherwise the short links of the items.
 * Returns `undefined` if the workspace does not own one of them.
 */
export async function analyticsScope(
  db: Database,
  userId: string,
  uuids: readonly string[],
): Promise<string[] | undefined> {
  const found = new Map<string, string>()
  const missing = (): string[] => uuids.filter((uuid) => !found.has(uuid))
  for (const table of ['links', 'pages'] as const) {
    const wanted = missing()
    if (wanted.length === 0) break
    const rows = await db.sql
      .selectFrom(table)
      .select('uuid')
      .where('uuid', 'in', wanted)
      .where('workspace_uuid', '=', userId)
      .where('trashed_at', '=', 0)
      .execute()
    for (const { uuid } of rows) found.set(uuid, uuid)
  }
  for (const table of ['qrcodes', 'barcodes', 'utm_links'] as const) {
    const wanted = missing()
    if (wanted.length === 0) break
    const rows = await db.sql
      .selectFrom(table)
      .select(['uuid', 'link_uuid'])
      .where('uuid', 'in', wanted)
      .where('workspace_uuid', '=', userId)
      .where('trashed_at', '=', 0)
      .execute()
    // An item without a short link has no clicks.
    for (const { uuid, link_uuid } of rows) found.set(uuid, link_uuid ?? uuid)
  }
  return missing().length > 0 ? undefined : [...new Set(found.values())]
}

interface LinkGroup {
  readonly tag: string | undefined
  readonly domain: string | undefined
}

/** The links that have a tag, or a domain ('' is the default one), or both. */
export async function linksOf(db: Database, userId: string, { tag, domain }: LinkGroup): Promise<string[]> {
  const ofTag = sql`link_tags.workspace_uuid = ${userId} and link_tags.tag = ${tag}`
  const ofDomain = sql`links.workspace_uuid = ${userId} and links.trashed_at = 0 and links.domain = ${domain}`
  if (tag === undefined) return collectUuids(db, sql`links.uuid`, sql`links where ${ofDomain}`)
  // "cross join" forces SQLite to begin with the tag instead of all links of the account.
  if (domain !== undefined)
    return collectUuids(
      db,
      sql`links.uuid`,
      sql`link_tags cross join links where ${ofTag} and links.uuid = link_tags.link_uuid and ${ofDomain}`,
    )
  const tagged = await collectUuids(db, sql`link_uuid`, sql`link_tags where ${ofTag}`)
  // There are usually far fewer links in the trash than tagged links, which would need a lookup each.
  const trashed = await collectUuids(
    db,
    sql`uuid`,
    sql`links where workspace_uuid = ${userId} and trashed_at > 0`,
  )
  const isTrashed = new Set(trashed)
  return trashed.length === 0 ? tagged : tagged.filter((uuid) => !isTrashed.has(uuid))
}

const UUID_CHARS = 36

/** All uuids of a statement as one text: separate rows take five times as long. */
async function collectUuids(
  db: Database,
  column: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
): Promise<string[]> {
  const select = sql<{ uuids: string | null }>`select string_agg(${column}, '') as uuids from ${from}`
  const uuids = (await select.execute(db.sql)).rows[0]?.uuids ?? ''
  return Array.from({ length: uuids.length / UUID_CHARS }, (_, n) =>
    uuids.slice(n * UUID_CHARS, (n + 1) * UUID_CHARS),
  )
}

/** Which of the links have a tag. */
export async function taggedAmong(
  db: Database,
  userId: string,
  uuids: readonly string[],
  tag: string,
): Promise<ReadonlySet<string>> {
  const rows = await db.sql
    .selectFrom('link_tags')
    .select('link_uuid')
    .where('workspace_uuid', '=', userId)
    .where('tag', '=', tag)
    .where('link_uuid', 'in', uuids)
    .execute()
  return new Set(rows.map(({ link_uuid }) => link_uuid))
}
