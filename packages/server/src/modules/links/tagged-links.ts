import { sql } from 'kysely'
import { nextTurn } from '../../runtime/loop-turns.ts'
import type { Database } from '../../storage/db/database.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import type { ListWindow } from '../owned/listing.ts'
import type { OwnedRows } from '../owned/owned-rows.ts'
import { type LinkFilter, linkSorts } from './link-filter.ts'

type TagRange = NonNullable<LinkFilter['tagRange']>
type Rows = Pick<OwnedRows<'links', LinkFilter>, 'list' | 'count'>

const FEWEST = 500
/** SQLite reads a range in one turn of the event loop: 4 ms. */
const MOST = 2_500

/**
 * Lists and counts the links of a tag in ranges. SQLite begins a statement about a tag with a list of all its links: 140 ms
 * for 100,000, in which no other request is served, for each page and for each few hundred links of a bulk edit.
 * PostgreSQL compares each link of the account with each of the tag while it has no statistics of them.
 */
export function taggedLinks(db: Database, rows: Rows): Rows {
  /** The range that follows a uuid in the order of a list; undefined: there is none. */
  const rangeAfter = async (
    userUuid: string,
    tag: string,
    after: string | undefined,
    { ascending, size }: { readonly ascending: boolean; readonly size: number },
  ): Promise<TagRange | undefined> => {
    const some = db.sql
      .selectFrom('link_tags')
      .select('link_uuid')
      .where('user_uuid', '=', userUuid)
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

  /** The ranges of a tag, each larger than the one before, for a filter that few links pass. */
  async function* ranges(
    userUuid: string,
    tag: string,
    { after, ascending }: { readonly after: string | undefined; readonly ascending: boolean },
    first: number,
  ): AsyncGenerator<TagRange> {
    let last = after
    for (let size = first; ; size = Math.min(MOST, size * 2)) {
      const range = await rangeAfter(userUuid, tag, last, { ascending, size })
      if (range === undefined) return
      yield range
      last = ascending ? range.most : range.least
      // SQLite returns within this turn of the event loop.
      await nextTurn()
    }
  }

  return {
    async list(userUuid, window) {
      const { tag, take, sort, uuids } = window
      if (tag === undefined || uuids !== undefined || Object.hasOwn(linkSorts, sort))
        return rows.list(userUuid, window)
      const found: LinkRow[] = []
      for await (const tagRange of ranges(userUuid, tag, placeOf(window), FEWEST)) {
        const left: LinkFilter & ListWindow = { ...window, tagRange, take: take - found.length }
        found.push(...(await rows.list(userUuid, left)))
        if (found.length >= take) break
      }
      return found
    },
    async count(userUuid, filter) {
      const { tag, uuids } = filter
      if (tag === undefined || uuids !== undefined) return rows.count(userUuid, filter)
      let count = 0
      for await (const tagRange of ranges(userUuid, tag, { after: undefined, ascending: true }, MOST))
        count += await rows.count(userUuid, { ...filter, tagRange })
      return count
    },
  }
}

const placeOf = ({ after, ascending }: ListWindow) => ({ after: after?.uuid, ascending })
