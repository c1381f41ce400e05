import type { Database } from '../../storage/db/database.ts'
import { readTotal } from '../../storage/db/kept-totals.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import type { ListWindow } from '../owned/listing.ts'
import type { OwnedRows } from '../owned/owned-rows.ts'
import { type LinkFilter, linkSorts } from './link-filter.ts'
import { createSearchTexts, searchesTexts } from './search-texts.ts'

/** So many results are read by their uuids; more are common enough to be met soon while a sorted list is read. */
const FEW_RESULTS = 500

type LinkRows = Pick<OwnedRows<'links', LinkFilter>, 'list' | 'count'>

/** Lists and counts links, a search by way of the search texts: the links themselves would take four times as long. */
export function createLinkSearch(db: Database, rows: LinkRows): LinkRows {
  const texts = createSearchTexts(db)

  /** The filter with the results of its search in place of the search, if they are few. */
  const withResults = async <Filter extends LinkFilter>(user: string, filter: Filter): Promise<Filter> => {
    const { search, uuid, uuids, named } = filter
    const isNamed = uuid !== undefined || uuids !== undefined || named !== undefined
    if (search === undefined || isNamed || !searchesTexts(search)) return filter
    const found = await texts.find(user, search, FEW_RESULTS + 1)
    return found.length > FEW_RESULTS ? filter : { ...filter, search: undefined, uuids: found }
  }

  const listInOrder = async (
    user: string,
    search: string,
    window: ListWindow & LinkFilter,
  ): Promise<LinkRow[]> => {
    const found: LinkRow[] = []
    for await (const uuids of texts.inOrder(user, search, window)) {
      const left = { ...window, search: undefined, uuids, take: window.take - found.length }
      found.push(...(await rows.list(user, left)))
      if (found.length >= window.take) break
    }
    return found
  }

  return {
    async list(userUuid, window) {
      const { search, sort } = window
      const isByCreation = !Object.hasOwn(linkSorts, sort)
      if (search !== undefined && searchesTexts(search) && isByCreation && isForMost(window))
        return listInOrder(userUuid, search, window)
      return rows.list(userUuid, await withResults(userUuid, window))
    },
    async count(userUuid, filter) {
      const { search, state } = filter
      if (!isForMost(filter) || (search !== undefined && !searchesTexts(search)))
        return rows.count(userUuid, await withResults(userUuid, filter))
      const all =
        search === undefined ? await readTotal(db, userUuid, 'links') : await texts.count(userUuid, search)
      if (state === undefined) return all
      // Few links are not active.
      return all - (await rows.count(userUuid, { ...filter, state: { ...state, is: 'inactive' } }))
    },
  }
}

/** Whether nothing but a search leaves out more than a few links. */
const isForMost = ({ uuid, uuids, tag, domain, named, state }: LinkFilter): boolean =>
  [uuid, uuids, tag, domain, named].every((value) => value === undefined) &&
  (state === undefined || state.is === 'active')
