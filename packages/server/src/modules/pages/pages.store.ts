import { sql } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import { createRestorableRows, type RestorableRows } from '../owned/owned-rows.ts'
import type { PageRow } from '../../storage/db/tables.ts'
import { pageFields } from './page-fields.ts'

export type { PageRow }

/** A slug under a domain. */
export interface SlugName {
  readonly domain: string
  readonly slug: string
}

/** A page for visitors. */
export interface PublicPage extends PageRow {
  /** When it or its owner's account was removed. */
  readonly removed_at: number | null
}

export interface PageStore extends RestorableRows<'pages'> {
  /** False if another page has the slug. */
  insertSlug(name: SlugName, pageUuid: string, at: number): Promise<boolean>
  /** The page of a slug. */
  findSlug(name: SlugName): Promise<string | undefined>
  /** Every slug of these pages, including earlier ones. */
  slugsOf(pageUuids: readonly string[]): Promise<SlugName[]>
  /** For visitors: pages of all accounts. */
  findPublicBySlug(name: SlugName): Promise<PublicPage | undefined>
  findPublic(uuid: string): Promise<PublicPage | undefined>
}

export function createPageStore(db: Database): PageStore {
  const publicPages = () =>
    db.sql
      .selectFrom('pages')
      .innerJoin('workspaces', 'workspaces.uuid', 'pages.workspace_uuid')
      .selectAll('pages')
  const removedAt = sql<number | null>`coalesce(workspaces.removed_at, nullif(pages.trashed_at, 0))`
  /** A domain that moved to another account serves only the pages of that account. */
  const movedAway = sql`case when domains.workspace_uuid <> pages.workspace_uuid then 1 end`

  return {
    ...createRestorableRows(db, 'pages', { searched: pageFields.searched }),
    async insertSlug(name, pageUuid, at) {
      const result = await db.sql
        .insertInto('page_slugs')
        .values({ ...name, page_uuid: pageUuid, created_at: at })
        .onConflict((conflict) => conflict.columns(['domain', 'slug']).doNothing())
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
    },
    async findSlug({ domain, slug }) {
      const row = await db.sql
        .selectFrom('page_slugs')
        .select('page_uuid')
        .where('domain', '=', domain)
        .where('slug', '=', slug)
        .executeTakeFirst()
      return row?.page_uuid
    },
    slugsOf: (pageUuids) =>
      db.sql
        .selectFrom('page_slugs')
        .select(['domain', 'slug'])
        .where('page_uuid', 'in', pageUuids)
        .execute(),
    findPublicBySlug: ({ domain, slug }) =>
      publicPages()
        .innerJoin('page_slugs', 'page_slugs.page_uuid', 'pages.uuid')
        .leftJoin('domains', 'domains.name', 'page_slugs.domain')
        .select(sql<number | null>`coalesce(${removedAt}, ${movedAway})`.as('removed_at'))
        .where('page_slugs.domain', '=', domain)
        .where('page_slugs.slug', '=', slug)
        .executeTakeFirst(),
    findPublic: (uuid) =>
      publicPages().select(removedAt.as('removed_at')).where('pages.uuid', '=', uuid).executeTakeFirst(),
  }
}
