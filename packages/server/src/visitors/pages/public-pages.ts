import { sql } from 'kysely'
import type { Reads } from '../../storage/db/database.ts'
import type { PageRow } from '../../storage/db/tables.ts'

/** A slug under a domain. */
export interface SlugName {
  readonly domain: string
  readonly slug: string
}

/** A page as visitors see it. */
export interface PublicPage extends PageRow {
  /** When it or its owner's account was removed. */
  readonly removed_at: number | null
}

/** The published pages of all accounts. */
export interface PublicPages {
  findBySlug(name: SlugName): Promise<PublicPage | undefined>
  find(uuid: string): Promise<PublicPage | undefined>
}

export function createPublicPages(db: Reads): PublicPages {
  const pages = () =>
    db.sql
      .selectFrom('pages')
      .innerJoin('workspaces', 'workspaces.uuid', 'pages.workspace_uuid')
      .selectAll('pages')
  const removedAt = sql<number | null>`coalesce(workspaces.removed_at, nullif(pages.trashed_at, 0))`
  /** A domain that moved to another account serves only the pages of that account. */
  const movedAway = sql`case when domains.workspace_uuid <> pages.workspace_uuid then 1 end`

  return {
    findBySlug: ({ domain, slug }) =>
      pages()
        .innerJoin('page_slugs', 'page_slugs.page_uuid', 'pages.uuid')
        .leftJoin('domains', 'domains.name', 'page_slugs.domain')
        .select(sql<number | null>`coalesce(${removedAt}, ${movedAway})`.as('removed_at'))
        .where('page_slugs.domain', '=', domain)
        .where('page_slugs.slug', '=', slug)
        .executeTakeFirst(),
    find: (uuid) =>
      pages().select(removedAt.as('removed_at')).where('pages.uuid', '=', uuid).executeTakeFirst(),
  }
}
