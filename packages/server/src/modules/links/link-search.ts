import { readTotal } from '../../storage/db/kept-totals.ts'
import type { Database } from '../../storage/db/database.ts'
import { fold, isAscii } from '../../storage/db/dialect.ts'
import type { OwnedRows } from '../owned/owned-rows.ts'
import type { LinkFilter } from './link-filter.ts'

/** Between the columns of a link in its search text; migration 0170 puts it there. */
const SEPARATOR = '\u0001'
/** So many results are read by their uuids; more are common enough to be met soon while the list is read. */
const FEW_RESULTS = 500

type LinkRows = Pick<OwnedRows<'links', LinkFilter>, 'list' | 'count'>

/**
 * Lists and counts links, a search by way of `link_search_texts`: that narrow table is read in a fraction of the time
 * that the links would take. Triggers keep it.
 */
export function createLinkSearch(db: Database, rows: LinkRows): LinkRows {
  const matches = (userUuid: string, text: string) =>
    db.sql
      .selectFrom('link_search_texts')
      .where('user_uuid', '=', userUuid)
      .where(db.dialect.loweredContains(isAscii(text) ? ['address', 'words'] : ['words'], text))

  const countMatches = async (userUuid: string, text: string): Promise<number> => {
    const count = matches(userUuid, text).select((eb) => eb.fn.countAll<number>().as('count'))
    return (await count.executeTakeFirst())?.count ?? 0
  }

  /** The filter with the results of its search in place of the search, if they are few. */
  const withResults = async <Filter extends LinkFilter>(user: string, filter: Filter): Promise<Filter> => {
    const { search, uuid, uuids, named } = filter
    const isNarrow = uuid !== undefined || uuids !== undefined || named !== undefined
    if (search === undefined || isNarrow || needsAllColumns(search)) return filter
    const found = await matches(user, search)
      .select('link_uuid')
      .limit(FEW_RESULTS + 1)
      .execute()
    if (found.length > FEW_RESULTS) return filter
    return { ...filter, search: undefined, uuids: found.map((row) => row.link_uuid) }
  }

  /** All links, or all that contain a text, unless every link must be read for that. */
  const countAll = async (
    user: string,
    { search, state, ...filter }: LinkFilter,
  ): Promise<number | undefined> => {
    const { uuid, uuids, tag, domain, named } = filter
    const isNarrow = [uuid, uuids, tag, domain, named].some((value) => value !== undefined)
    if (isNarrow || (state !== undefined && state.is !== 'active')) return undefined
    if (search === undefined) return readTotal(db, user, 'links')
    return needsAllColumns(search) ? undefined : countMatches(user, search)
  }

  return {
    list: async (userUuid, window) => rows.list(userUuid, await withResults(userUuid, window)),
    /** Few links are not active: those are counted and taken off the number of all. */
    async count(userUuid, filter) {
      const all = await countAll(userUuid, filter)
      if (all === undefined) return rows.count(userUuid, await withResults(userUuid, filter))
      const { state } = filter
      if (state === undefined) return all
      return all - (await rows.count(userUuid, { ...filter, state: { ...state, is: 'inactive' } }))
    },
  }
}

/**
 * Whether a search could match the end of one column and the beginning of the next, or is beyond ASCII only until it is
 * folded, as the Kelvin sign is.
 */
const needsAllColumns = (search: string): boolean =>
  search.includes(SEPARATOR) || (!isAscii(search) && isAscii(fold(search)))
