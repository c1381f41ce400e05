import type { Query } from '@waymark/contract/schemas'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { nextTurn } from '../../work/turns.ts'
import type { Database } from '../../storage/db/database.ts'
import { fold, isAscii } from '../../storage/db/dialect.ts'
import { readTotal } from '../../storage/db/totals.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import { toAsciiName } from '../domains/domain-name.ts'
import type { DomainService } from '../domains/domains.service.ts'
import type { ListFilter, ListWindow } from '../owned/listing.ts'
import type { OwnedRows } from '../owned/owned-rows.ts'

/** The state of links at a time. `inactive` is the complement of `active`. */
export interface LinkState {
  readonly is: 'active' | 'expired' | 'archived' | 'inactive'
  readonly nowMs: number
}

export interface LinkFilter extends ListFilter {
  readonly tag: string | undefined
  /** Links must have these tags as well. */
  readonly moreTags?: readonly string[] | undefined
  /** Restricts the tag's links to this range of uuids. */
  readonly tagRange?: { readonly least: string; readonly most: string } | undefined
  /** The stored name of a domain. */
  readonly domain?: string | undefined
  /** Undefined: any state. */
  readonly state: LinkState | undefined
  /** Only links without an owner. */
  readonly isAlone?: boolean | undefined
  /** Only these links. */
  readonly uuids?: readonly string[] | undefined
  /** The link with this short code. */
  readonly named?: { readonly domain: string; readonly shortCode: string } | undefined
}

/** The filters of links in a request, beyond those of every list. */
export function linkFilterOf(
  {
    tag,
    domain,
    state = 'all',
    owner,
    code,
  }: Pick<Query<'links'>, 'tag' | 'domain' | 'state' | 'owner' | 'code'>,
  nowMs: number,
  domains: Pick<DomainService, 'storedName' | 'spelled'>,
): Omit<LinkFilter, keyof ListFilter> {
  // A text that is not a domain name matches nothing.
  const stored = domain === undefined ? undefined : domains.storedName(toAsciiName(domain) || domain)
  const [first, ...moreTags] = typeof tag === 'string' ? [tag] : (tag ?? [])
  return {
    tag: first,
    moreTags: moreTags.length === 0 ? undefined : moreTags,
    isAlone: owner === 'none' || undefined,
    domain: code === undefined ? stored : undefined,
    state: state === 'all' ? undefined : { is: state, nowMs },
    named:
      code === undefined
        ? undefined
        : { domain: stored ?? '', shortCode: domains.spelled(stored ?? '', code) },
  }
}

/** Sort orders besides creation: the indexed expression, and its value for a row. */
export const linkSorts = {
  clicks: { expression: sql`clicks`, valueOf: (row: LinkRow) => row.clicks },
  last_click_at: {
    expression: sql`coalesce(last_click_at, 0)`,
    valueOf: (row: LinkRow) => row.last_click_at ?? 0,
  },
}

/** The condition of the index `links_set_aside`, word for word: otherwise SQLite does not use it. */
const setAside = sql<SqlBool>`(archived = 1 or expires_at is not null or max_clicks is not null)`

const hasEnded = (nowMs: number): RawBuilder<SqlBool> => sql`(coalesce(expires_at <= ${nowMs}, false)
  or coalesce(max_clicks <= coalesce(
    (select used from limited_clicks where limited_clicks.link_uuid = links.uuid), 0), false))`

export function inState({ is, nowMs }: LinkState): RawBuilder<SqlBool> {
  if (is === 'archived') return sql`(${setAside} and archived = 1)`
  if (is === 'expired') return sql`(${setAside} and ${hasEnded(nowMs)})`
  const inactive = sql<SqlBool>`(${setAside} and (archived = 1 or ${hasEnded(nowMs)}))`
  return is === 'inactive' ? inactive : sql`not ${inactive}`
}

/** Up to this many results are read by uuid; more are frequent enough to be found quickly in a sorted list. */
const FEW_RESULTS = 500

type LinkRows = Pick<OwnedRows<'links', LinkFilter>, 'list' | 'count'>

/** Lists and counts links; searches use the search texts, because the links themselves would take four times as long. */
export function createLinkSearch(db: Database, rows: LinkRows): LinkRows {
  const texts = createSearchTexts(db)

  /** Replaces the search of a filter by its results, if they are few. */
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
    async list(workspaceUuid, window) {
      const { search, sort } = window
      const isByCreation = !Object.hasOwn(linkSorts, sort)
      if (search !== undefined && searchesTexts(search) && isByCreation && isForMost(window))
        return listInOrder(workspaceUuid, search, window)
      return rows.list(workspaceUuid, await withResults(workspaceUuid, window))
    },
    async count(workspaceUuid, filter) {
      const { search, state } = filter
      if (!isForMost(filter) || (search !== undefined && !searchesTexts(search)))
        return rows.count(workspaceUuid, await withResults(workspaceUuid, filter))
      const all =
        search === undefined
          ? await readTotal(db, workspaceUuid, 'links')
          : await texts.count(workspaceUuid, search)
      if (state === undefined) return all
      // Few links are not active.
      return all - (await rows.count(workspaceUuid, { ...filter, state: { ...state, is: 'inactive' } }))
    },
  }
}

/** Whether the filter, apart from its search, excludes only a few links. */
const isForMost = ({ uuid, uuids, tag, domain, named, isAlone, state }: LinkFilter): boolean =>
  [uuid, uuids, tag, domain, named, isAlone].every((value) => value === undefined) &&
  (state === undefined || state.is === 'active')

/** Separates the columns of a link in its search text; written by migration 0170. */
const SEPARATOR = '\u0001'
/** Initial number of results read at once in order; it doubles for a filter that few of them pass. */
const FEWEST_AT_ONCE = 100
const MAX_AT_ONCE = 5_000

/** Reads `link_search_texts`: a narrow table maintained by triggers, with a row per link that is not in the trash. */
export interface SearchTexts {
  count(workspaceUuid: string, search: string): Promise<number>
  /** The uuids of some links that contain the text. */
  find(workspaceUuid: string, search: string, take: number): Promise<string[]>
  /** The uuids of all following results by creation, which is the order of uuids; a few at a time. */
  inOrder(workspaceUuid: string, search: string, window: ListWindow): AsyncGenerator<string[]>
}

export function createSearchTexts(db: Database): SearchTexts {
  /** Addresses are ASCII in lower case. Words are folded like the search, the Kelvin sign to a k. */
  const contains = (search: string): RawBuilder<SqlBool> => {
    const { dialect } = db
    if (isAscii(search)) return dialect.loweredContains(['address', 'words'], search)
    const words = dialect.contains(['words'], search)
    const folded = fold(search)
    return isAscii(folded) ? sql`(${dialect.loweredContains(['address'], folded)} or ${words})` : words
  }
  const matches = (workspaceUuid: string, search: string) =>
    db.sql.selectFrom('link_search_texts').where('workspace_uuid', '=', workspaceUuid).where(contains(search))

  return {
    async count(workspaceUuid, search) {
      const count = matches(workspaceUuid, search).select((eb) => eb.fn.countAll<number>().as('count'))
      return (await count.executeTakeFirst())?.count ?? 0
    },
    async find(workspaceUuid, search, take) {
      const rows = await matches(workspaceUuid, search).select('link_uuid').limit(take).execute()
      return rows.map((row) => row.link_uuid)
    },
    async *inOrder(workspaceUuid, search, { take, after, ascending }) {
      let last = after?.uuid
      for (let size = Math.max(take, FEWEST_AT_ONCE); ; size = Math.min(MAX_AT_ONCE, size * 2)) {
        const rows = await matches(workspaceUuid, search)
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

/** Whether search texts can be used: not if the search could match across two columns. */
const searchesTexts = (search: string): boolean => !search.includes(SEPARATOR)

type TagRange = NonNullable<LinkFilter['tagRange']>
type Rows = Pick<OwnedRows<'links', LinkFilter>, 'list' | 'count'>

const FEWEST = 500
/** SQLite reads a range of this size in one turn of the event loop, in 4 ms. */
const MOST = 2_500

/**
 * Lists and counts the links of a tag in ranges. SQLite begins a statement about a tag by listing all its links: 140 ms for
 * 100,000, during which no other request is served, for each page and for each few hundred links of a bulk edit. PostgreSQL
 * compares each link of the account with each of the tag while it has no statistics.
 */
export function taggedLinks(db: Database, rows: Rows): Rows {
  /** The range that follows a uuid in the order of a list; undefined if there is none. */
  const rangeAfter = async (
    workspaceUuid: string,
    tag: string,
    after: string | undefined,
    { ascending, size }: { readonly ascending: boolean; readonly size: number },
  ): Promise<TagRange | undefined> => {
    const some = db.sql
      .selectFrom('link_tags')
      .select('link_uuid')
      .where('workspace_uuid', '=', workspaceUuid)
      .where('tag', '=', tag)
      .$if(after !== undefined, (query) => query.where('link_uuid', ascending ? '>' : '<', after ?? ''))
      .orderBy('link_uuid', ascending ? 'asc' : 'desc')
      .limit(size)
    const { least, most } = await db.sql
      .selectFrom(some.as('part'))
      .select([
        sql<string | null>`min(part.link_uuid)`.as('least'),
        sql<string | null>`max(part.link_uuid)`.as('most'),
      ])
      .executeTakeFirstOrThrow()
    return least === null || most === null ? undefined : { least, most }
  }

  /** The ranges of a tag, each larger than the previous, for a filter that few links pass. */
  async function* ranges(
    workspaceUuid: string,
    tag: string,
    { after, ascending }: { readonly after: string | undefined; readonly ascending: boolean },
    first: number,
  ): AsyncGenerator<TagRange> {
    let last = after
    for (let size = first; ; size = Math.min(MOST, size * 2)) {
      const range = await rangeAfter(workspaceUuid, tag, last, { ascending, size })
      if (range === undefined) return
      yield range
      last = ascending ? range.most : range.least
      // SQLite returns within this turn of the event loop.
      await nextTurn()
    }
  }

  return {
    async list(workspaceUuid, window) {
      const { tag, take, sort, uuids } = window
      if (tag === undefined || uuids !== undefined || Object.hasOwn(linkSorts, sort))
        return rows.list(workspaceUuid, window)
      const found: LinkRow[] = []
      for await (const tagRange of ranges(workspaceUuid, tag, placeOf(window), FEWEST)) {
        const left: LinkFilter & ListWindow = { ...window, tagRange, take: take - found.length }
        found.push(...(await rows.list(workspaceUuid, left)))
        if (found.length >= take) break
      }
      return found
    },
    async count(workspaceUuid, filter) {
      const { tag, uuids } = filter
      if (tag === undefined || uuids !== undefined) return rows.count(workspaceUuid, filter)
      let count = 0
      for await (const tagRange of ranges(workspaceUuid, tag, { after: undefined, ascending: true }, MOST))
        count += await rows.count(workspaceUuid, { ...filter, tagRange })
      return count
    },
  }
}

const placeOf = ({ after, ascending }: ListWindow) => ({ after: after?.uuid, ascending })
