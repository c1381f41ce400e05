import type { Database } from '../../storage/db/database.ts'
import { fold, isAscii } from '../../storage/db/dialect.ts'
import type { ListWindow } from '../owned/listing.ts'

/** Between the columns of a link in its search text; migration 0170 puts it there. */
const SEPARATOR = '\u0001'
/** Results that are read at once in order; each time twice as many, for a filter that few of them pass. */
const FEWEST_AT_ONCE = 100
const MOST_AT_ONCE = 5_000

/** Reads `link_search_texts`: a narrow table that triggers keep, with a row for each link that is not in the trash. */
export interface SearchTexts {
  count(userUuid: string, search: string): Promise<number>
  /** The uuids of some links that contain the text. */
  find(userUuid: string, search: string, take: number): Promise<string[]>
  /** The uuids of all that follow in a list by creation, which is the order of uuids; a few at a time. */
  inOrder(userUuid: string, search: string, window: ListWindow): AsyncGenerator<string[]>
}

export function createSearchTexts(db: Database): SearchTexts {
  const matches = (userUuid: string, search: string) =>
    db.sql
      .selectFrom('link_search_texts')
      .where('user_uuid', '=', userUuid)
      // Addresses are ASCII.
      .where(db.dialect.loweredContains(isAscii(search) ? ['address', 'words'] : ['words'], search))

  return {
    async count(userUuid, search) {
      const count = matches(userUuid, search).select((eb) => eb.fn.countAll<number>().as('count'))
      return (await count.executeTakeFirst())?.count ?? 0
    },
    async find(userUuid, search, take) {
      const rows = await matches(userUuid, search).select('link_uuid').limit(take).execute()
      return rows.map((row) => row.link_uuid)
    },
    async *inOrder(userUuid, search, { take, after, ascending }) {
      let last = after?.uuid
      for (let size = Math.max(take, FEWEST_AT_ONCE); ; size = Math.min(MOST_AT_ONCE, size * 2)) {
        const rows = await matches(userUuid, search)
          .select('link_uuid')
          .$if(last !== undefined, (query) => query.where('link_uuid', ascending ? '>' : '<', last ?? ''))
          .orderBy('link_uuid', ascending ? 'asc' : 'desc')
          .limit(size)
          .execute()
        if (rows.length > 0) yield rows.map((row) => row.link_uuid)
        if (rows.length < size) return
        last = rows.at(-1)?.link_uuid
      }
    },
  }
}

/**
 * Whether the search texts can be searched for it: not for what could match the end of one column and the beginning of the next, or is beyond ASCII only
 * until it is folded, as the Kelvin sign is.
 */
export const searchesTexts = (search: string): boolean =>
  !search.includes(SEPARATOR) && (isAscii(search) || !isAscii(fold(search)))
