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

export interface PageStore extends RestorableRows<'pages'> {
  /** False if another page has the slug. */
  insertSlug(name: SlugName, pageUuid: string, at: number): Promise<boolean>
  /** The page of a slug. */
  findSlug(name: SlugName): Promise<string | undefined>
  /** Every slug of these pages, including earlier ones. */
  slugsOf(pageUuids: readonly string[]): Promise<SlugName[]>
}

export function createPageStore(db: Database): PageStore {
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
  }
}
