import type { Body, Data } from '@waymark/contract/schemas'
import { sql } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import type { UtmLinkRow } from '../../storage/db/tables.ts'
import { isoTime } from '../../work/times.ts'
import type { LinkRow } from '../links/links.store.ts'
import { fieldsOf } from '../owned/field-map.ts'
import { createRestorableRows, type RestorableRows } from '../owned/owned-rows.ts'

export type UtmLink = Data<'generateUtm'>
export type UtmCreate = Body<'generateUtm'>

/** Data for responses that the row of a UTM link does not have. */
interface UtmContext {
  readonly link: LinkRow | undefined
  readonly shortUrl: (link: LinkRow) => string
}

/** Every field of a UTM link, in the order of responses. */
export const utmFields = fieldsOf<UtmLinkRow, UtmCreate, UtmLink, UtmContext>()({
  url: { column: 'url', initial: '', show: (row) => row.url, isSearched: true },
  source: { column: 'source', initial: null, show: (row) => row.source ?? '', isSearched: true },
  medium: { column: 'medium', initial: null, show: (row) => row.medium ?? '', isSearched: true },
  campaign: { column: 'campaign', initial: null, show: (row) => row.campaign ?? '', isSearched: true },
  content: { column: 'content', initial: null, show: (row) => row.content ?? '', isSearched: true },
  term: {
    column: 'term',
    initial: null,
    store: (term) => (term === '' ? null : term),
    show: (row) => row.term,
    isSearched: true,
  },
  shorten: { isSettledByService: true, show: (_row, { link }) => link !== undefined },
  utm_url: { column: 'utm_url', show: (row) => row.utm_url, isSearched: true },
  short_url: { show: (_row, { link, shortUrl }) => (link === undefined ? null : shortUrl(link)) },
  clicks: { show: (_row, { link }) => link?.clicks ?? 0 },
  warnings: { show: (row) => JSON.parse(row.warnings) as string[] },
  created_by: { show: (row) => row.created_by },
  created_at: { show: (row) => isoTime(row.created_at) },
  updated_at: { show: (row) => isoTime(row.updated_at) },
  uuid: { show: (row) => row.uuid },
})

export type { UtmLinkRow }

/** The columns of tags. */
export type TagColumn = 'source' | 'medium' | 'campaign' | 'content' | 'term'

export interface UtmStore extends RestorableRows<'utm_links'> {
  /** The spellings in the user's latest links that equal this value except for case. */
  findSpellings(
    workspaceUuid: string,
    column: TagColumn,
    value: string,
    exceptUuid: string,
  ): Promise<string[]>
}

/** Old spellings do not matter, and the cost must not depend on the number of links. */
const LOOKED_AT = 1_000
const SPELLINGS = 20

export function createUtmStore(db: Database): UtmStore {
  return {
    ...createRestorableRows(db, 'utm_links', { searched: utmFields.searched }),
    async findSpellings(workspaceUuid, column, value, exceptUuid) {
      const rows = await db.sql
        .selectFrom((eb) =>
          eb
            .selectFrom('utm_links')
            .select([`${column} as value`])
            .where('workspace_uuid', '=', workspaceUuid)
            .where('trashed_at', '=', 0)
            .where('uuid', '!=', exceptUuid)
            .orderBy('uuid', 'desc')
            .limit(LOOKED_AT)
            .as('latest'),
        )
        .select('value')
        .distinct()
        .where('value', '!=', value)
        .where(sql<number>`length(value)`, '=', Array.from(value).length)
        .where(db.dialect.contains(['value'], value))
        .limit(SPELLINGS)
        .execute()
      return rows.flatMap((row) => row.value ?? [])
    },
  }
}
