import { sql } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import { createRestorableRows, type RestorableRows } from '../owned/restorable-rows.ts'
import type { UtmLinkRow } from '../../storage/db/tables.ts'
import { utmFields } from './utm-fields.ts'

export type { UtmLinkRow }

/** The columns that hold a tag. */
export type TagColumn = 'source' | 'medium' | 'campaign' | 'content' | 'term'

export interface UtmStore extends RestorableRows<'utm_links'> {
  /** How the user's latest links write a value that differs from this one in its capitals at most. */
  findSpellings(
    workspaceUuid: string,
    column: TagColumn,
    value: string,
    exceptUuid: string,
  ): Promise<string[]>
}

/** Spellings of long ago no longer help, and looking must cost the same for those with a million links. */
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
