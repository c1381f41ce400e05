import type { Database } from '../../storage/db/database.ts'

/** What is counted for something a user owns: a link or page itself, else the short link behind it. */
export async function analyticsScope(
  db: Database,
  userId: string,
  uuid: string,
): Promise<string | undefined> {
  for (const table of ['links', 'pages'] as const) {
    const row = await db.sql
      .selectFrom(table)
      .select('uuid')
      .where('uuid', '=', uuid)
      .where('user_uuid', '=', userId)
      .where('trashed_at', '=', 0)
      .executeTakeFirst()
    if (row !== undefined) return row.uuid
  }
  for (const table of ['qrcodes', 'barcodes', 'utm_links'] as const) {
    const row = await db.sql
      .selectFrom(table)
      .select('link_uuid')
      .where('uuid', '=', uuid)
      .where('user_uuid', '=', userId)
      .where('trashed_at', '=', 0)
      .executeTakeFirst()
    // Without a short link behind it nothing is counted: its own uuid has no figures.
    if (row !== undefined) return row.link_uuid ?? uuid
  }
  return undefined
}
