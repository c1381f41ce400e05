import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { chunksOf, type Database } from '../../storage/db/database.ts'
import { preparedStatement } from '../../storage/db/prepared.ts'
import type { LinkRow, LinkTagRow, ShortCodeRow } from '../../storage/db/tables.ts'
import { createRestorableRows, type RestorableRows } from '../owned/owned-rows.ts'
import { linkFields } from './link-fields.ts'
import { createLinkSearch, inState, type LinkFilter, linkSorts, taggedLinks } from './link-search.ts'

export type { LinkRow }

/** A short code under a domain. */
export interface ShortCodeName {
  readonly domain: string
  readonly short_code: string
}

/** A short code and its domain as one text. */
export const nameKey = ({ domain, short_code }: ShortCodeName): string => `${domain}/${short_code}`

/** Rows per statement; each has few values. */
const ROWS = 500

const insertLink = preparedStatement((sql, row: LinkRow) => sql.insertInto('links').values(row))

/** A short code and its link. */
export type LeadingName = ShortCodeName & Pick<ShortCodeRow, 'link_uuid'>

/** A short code to insert, with the tombstone that it would have if it was erased. */
type NewShortCode = ShortCodeRow & { readonly tombstone: string }

/** One statement that checks whether the short code is in use or was erased. */
const insertShortCode = preparedStatement((sql, { tombstone, ...row }: NewShortCode) =>
  sql
    .insertInto('short_codes')
    .columns(['domain', 'short_code', 'link_uuid', 'created_at'])
    .expression(
      sql
        .selectNoFrom((eb) => [
          eb.cast<string>(eb.val(row.domain), 'text').as('domain'),
          eb.cast<string>(eb.val(row.short_code), 'text').as('short_code'),
          eb.cast<string>(eb.val(row.link_uuid), 'text').as('link_uuid'),
          eb.cast<number>(eb.val(row.created_at), 'bigint').as('created_at'),
        ])
        .where((eb) =>
          eb.not(eb.exists(sql.selectFrom('tombstones').select('hash').where('hash', '=', tombstone))),
        ),
    )
    .onConflict((conflict) => conflict.columns(['domain', 'short_code']).doNothing()),
)

/** Like `insertShortCode`, for many. Both engines use the same column names for `values`. */
const insertShortCodes = (rows: readonly NewShortCode[]) => {
  const values = rows.map(
    (row) =>
      sql`(${row.domain}, ${row.short_code}, ${row.link_uuid}, cast(${row.created_at} as bigint), ${row.tombstone})`,
  )
  return sql<LeadingName>`
    insert into short_codes (domain, short_code, link_uuid, created_at)
    select column1, column2, column3, column4 from (values ${sql.join(values)}) as given
    where not exists (select 1 from tombstones where hash = given.column5)
    on conflict (domain, short_code) do nothing
    returning domain, short_code, link_uuid`
}

/**
 * Links with only a destination: all other fields have their initial value. Written as literals, because SQLite uses the
 * index `links_plain` only if it finds the conditions of the index word for word.
 */
const { url: _, ...initialColumns } = linkFields.newColumns({ link: '' })
const isPlain = sql<SqlBool>`owner_type is null and trashed_at = 0 and custom = 0 and password_hash is null
  and preview is null and ${sql.raw(
    Object.entries(initialColumns)
      .map(([column, initial]) => (initial === null ? `${column} is null` : `${column} = ${initial}`))
      .join(' and '),
  )}`

export interface LinkStore extends RestorableRows<'links', LinkFilter> {
  insertMany(rows: readonly LinkRow[]): Promise<void>
  /** False if the short code is in use, or was erased and has that tombstone. */
  insertShortCode(row: ShortCodeRow, tombstone: string): Promise<boolean>
  /** Returns those that were free and are now inserted. */
  insertShortCodes(rows: readonly NewShortCode[]): Promise<LeadingName[]>
  /** The link of a short code. */
  findShortCode(name: ShortCodeName): Promise<string | undefined>
  /** Every short code of the links, including earlier ones. */
  shortCodesOf(linkUuids: readonly string[]): Promise<LeadingName[]>
  tags(workspaceUuid: string): Promise<{ tag: string; links: number }[]>
  insertTags(rows: readonly LinkTagRow[]): Promise<void>
  removeTags(linkUuid: string): Promise<void>
  /** The oldest active links to a URL on a domain that have no other settings and no owner. */
  listPlain(workspaceUuid: string, domain: string, url: string, take: number): Promise<LinkRow[]>
  /** Of any account; for operators. */
  findAny(uuid: string): Promise<LinkRow | undefined>
  /** The links of all accounts in the order of their uuids; for operators. */
  listAnyAfter(uuid: string, take: number): Promise<LinkRow[]>
}

export function createLinkStore(db: Database): LinkStore {
  const taggedWith = (
    workspaceUuid: string,
    tag: string,
    range: LinkFilter['tagRange'],
  ): RawBuilder<SqlBool> => {
    const tagged = sql`select link_uuid from link_tags where workspace_uuid = ${workspaceUuid} and tag = ${tag}`
    if (range === undefined) return sql<SqlBool>`uuid in (${tagged})`
    const { least, most } = range
    const some = db.dialect.uuidAmong(sql`${tagged} and link_uuid between ${least} and ${most}`)
    return sql<SqlBool>`(uuid between ${least} and ${most} and ${some})`
  }
  /** For a few links: looks each of them up. */
  const hasTag = (workspaceUuid: string, tag: string) =>
    sql<SqlBool>`exists (select 1 from link_tags
      where workspace_uuid = ${workspaceUuid} and tag = ${tag} and link_uuid = links.uuid)`
  const leadingTo = ({ domain, shortCode }: { readonly domain: string; readonly shortCode: string }) =>
    sql<string>`(select link_uuid from short_codes where domain = ${domain} and short_code = ${shortCode})`
  const rows = createRestorableRows<'links', LinkFilter>(db, 'links', {
    searched: linkFields.searched,
    sorts: linkSorts,
    isSelective: ({ uuids, state }) => uuids !== undefined || (state !== undefined && state.is !== 'active'),
    narrow(query, { tag, moreTags = [], tagRange, domain, state, isAlone, named, uuids }, workspaceUuid) {
      let narrowed = query
      if (uuids !== undefined)
        narrowed = narrowed.where(
          uuids.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`uuid in (${sql.join(uuids)})`,
        )
      if (tag !== undefined)
        narrowed =
          uuids === undefined
            ? narrowed.where(taggedWith(workspaceUuid, tag, tagRange))
            : narrowed.where(hasTag(workspaceUuid, tag))
      // For PostgreSQL, which does not notice that the links are within the range of their tags.
      if (tagRange !== undefined)
        narrowed = narrowed.where(sql<SqlBool>`uuid between ${tagRange.least} and ${tagRange.most}`)
      for (const other of moreTags) narrowed = narrowed.where(hasTag(workspaceUuid, other))
      if (isAlone === true) narrowed = narrowed.where(sql<SqlBool>`owner_type is null`)
      if (named !== undefined) narrowed = narrowed.where('uuid', 'in', leadingTo(named))
      if (domain !== undefined) narrowed = narrowed.where(sql<SqlBool>`domain = ${domain}`)
      return state === undefined ? narrowed : narrowed.where(inState(state))
    },
  })
  return {
    ...rows,
    ...createLinkSearch(db, taggedLinks(db, rows)),
    async insert(row) {
      await insertLink(db, row)
    },
    async insertMany(rows) {
      if (rows.length > 0) await db.sql.insertInto('links').values(rows).execute()
    },
    async insertShortCode(row, tombstone) {
      const { numAffectedRows } = await insertShortCode(db, { ...row, tombstone })
      return Number(numAffectedRows ?? 0) > 0
    },
    async insertShortCodes(rows) {
      return rows.length === 0 ? [] : (await insertShortCodes(rows).execute(db.sql)).rows
    },
    async findShortCode({ domain, short_code }) {
      const row = await db.sql
        .selectFrom('short_codes')
        .select('link_uuid')
        .where('domain', '=', domain)
        .where('short_code', '=', short_code)
        .executeTakeFirst()
      return row?.link_uuid
    },
    shortCodesOf: (linkUuids) =>
      db.sql
        .selectFrom('short_codes')
        .select(['domain', 'short_code', 'link_uuid'])
        .where('link_uuid', 'in', linkUuids)
        .execute(),
    tags: (workspaceUuid) =>
      db.sql
        .selectFrom('link_tags')
        .innerJoin('links', 'links.uuid', 'link_tags.link_uuid')
        .select((eb) => ['link_tags.tag', eb.fn.countAll<number>().as('links')])
        .where('link_tags.workspace_uuid', '=', workspaceUuid)
        .where('links.trashed_at', '=', 0)
        .groupBy('link_tags.tag')
        .orderBy('link_tags.tag')
        .execute(),
    listPlain: (workspaceUuid, domain, url, take) =>
      db.sql
        .selectFrom('links')
        .selectAll()
        .where('workspace_uuid', '=', workspaceUuid)
        .where('domain', '=', domain)
        .where('url', '=', url)
        .where(isPlain)
        .orderBy('uuid')
        .limit(take)
        .execute(),
    findAny: (uuid) => db.sql.selectFrom('links').selectAll().where('uuid', '=', uuid).executeTakeFirst(),
    listAnyAfter: (uuid, take) =>
      db.sql.selectFrom('links').selectAll().where('uuid', '>', uuid).orderBy('uuid').limit(take).execute(),
    async insertTags(rows) {
      for (const some of chunksOf(rows, ROWS)) await db.sql.insertInto('link_tags').values(some).execute()
    },
    async removeTags(linkUuid) {
      await db.sql.deleteFrom('link_tags').where('link_uuid', '=', linkUuid).execute()
    },
  }
}
