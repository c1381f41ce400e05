import type { Query } from '@waymark/contract/schemas'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { LinkRow } from '../../storage/db/tables.ts'
import { toAsciiName } from '../domains/domain-name.ts'
import type { ListFilter } from '../owned/listing.ts'

/** Which links, as seen at a time. `inactive` is what `active` leaves out. */
export interface LinkState {
  readonly is: 'active' | 'expired' | 'archived' | 'inactive'
  readonly nowMs: number
}

export interface LinkFilter extends ListFilter {
  readonly tag: string | undefined
  /** Of the links of the tag only those between these two. */
  readonly tagRange?: { readonly least: string; readonly most: string } | undefined
  /** The stored name of a domain. */
  readonly domain?: string | undefined
  /** Undefined: all links. */
  readonly state: LinkState | undefined
  /** Only these. */
  readonly uuids?: readonly string[] | undefined
  /** The link that a short code leads to. */
  readonly named?: { readonly domain: string; readonly shortCode: string } | undefined
}

/** What a request narrows a list or an export by, besides what every list can be. */
export function linkFilterOf(
  { tag, domain, state = 'all', code }: Pick<Query<'links'>, 'tag' | 'domain' | 'state' | 'code'>,
  nowMs: number,
  domains: { storedName(host: string): string },
): Omit<LinkFilter, keyof ListFilter> {
  // A text that is no domain name finds nothing.
  const stored = domain === undefined ? undefined : domains.storedName(toAsciiName(domain) || domain)
  return {
    tag,
    domain: code === undefined ? stored : undefined,
    state: state === 'all' ? undefined : { is: state, nowMs },
    named: code === undefined ? undefined : { domain: stored ?? '', shortCode: code },
  }
}

/** What lists of links can be sorted by besides their creation: the indexed expression, and the same of a row. */
export const linkSorts = {
  clicks: { expression: sql`clicks`, valueOf: (row: LinkRow) => row.clicks },
  last_click_at: {
    expression: sql`coalesce(last_click_at, 0)`,
    valueOf: (row: LinkRow) => row.last_click_at ?? 0,
  },
}

/** The condition of the index `links_set_aside`, word for word: SQLite only then sees that it can use it. */
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
