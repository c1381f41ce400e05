import type { Database } from '../../storage/db/database.ts'

/**
 * What is counted for things a user owns: links and pages themselves, else the short links behind them. `undefined` if one
 * of them is not the user's.
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
      .where('user_uuid', '=', userId)
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
      .where('user_uuid', '=', userId)
      .where('trashed_at', '=', 0)
      .execute()
    // Without a short link behind it nothing is counted: its own uuid has no figures.
    for (const { uuid, link_uuid } of rows) found.set(uuid, link_uuid ?? uuid)
  }
  return missing().length > 0 ? undefined : [...new Set(found.values())]
}

/** The links that carry a tag, are of a domain ('' is the default one), or both. */
export async function linksOf(
  db: Database,
  userId: string,
  { tag, domain }: { readonly tag: string | undefined; readonly domain: string | undefined },
): Promise<string[]> {
  const rows = await db.sql
    .selectFrom('links')
    .select('links.uuid')
    .where('links.user_uuid', '=', userId)
    .where('links.trashed_at', '=', 0)
    .$if(domain !== undefined, (query) => query.where('links.domain', '=', domain ?? ''))
    .$if(tag !== undefined, (query) =>
      query
        .innerJoin('link_tags', 'link_tags.link_uuid', 'links.uuid')
        .where('link_tags.user_uuid', '=', userId)
        .where('link_tags.tag', '=', tag ?? ''),
    )
    .execute()
  return rows.map(({ uuid }) => uuid)
}

/** Those of some links that carry a tag. */
export async function taggedAmong(
  db: Database,
  userId: string,
  uuids: readonly string[],
  tag: string,
): Promise<ReadonlySet<string>> {
  const rows = await db.sql
    .selectFrom('link_tags')
    .select('link_uuid')
    .where('user_uuid', '=', userId)
    .where('tag', '=', tag)
    .where('link_uuid', 'in', uuids)
    .execute()
  return new Set(rows.map(({ link_uuid }) => link_uuid))
}
