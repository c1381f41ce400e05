import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** ASCII, both of them: a search beyond ASCII need not look there. */
const ADDRESS = ['short_code', 'url']
const WORDS = ['title', 'description', 'tag', 'more_tags']

/**
 * What a search looks into, for links that are not in the trash: one narrow row per link, since a search reads all of
 * them (docs/adr/0023-search-texts.md). Triggers write it, so that every statement that changes links keeps it, those
 * of an earlier version during a rolling upgrade too.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'link_search_texts', {
    columns: { user_uuid: 'key', link_uuid: 'key', address: 'key', words: 'key' },
    primary: ['user_uuid', 'link_uuid'],
    clustered: true,
  })
  const isSqlite = dialect.engine === 'sqlite'
  const text = isSqlite ? sqliteText : postgresText
  const insert = (row: string): string =>
    `insert into link_search_texts (user_uuid, link_uuid, address, words)
      select ${row}user_uuid, ${row}uuid, ${text(row, ADDRESS)}, ${text(row, WORDS)}`
  await sql.raw(`${insert('')} from links where trashed_at = 0`).execute(db)
  // Autovacuum would do so within a minute; until then PostgreSQL takes every account for a small one.
  if (!isSqlite) await sql`analyze link_search_texts`.execute(db)
  for (const statement of isSqlite ? sqliteTriggers(insert) : postgresTriggers(insert))
    await sql.raw(statement).execute(db)
}

/** No search matches across two columns: it would have to contain the separator (modules/links/link-search.ts). */
const joined = (row: string, columns: readonly string[], separator: string): string =>
  columns.map((column) => `coalesce(${row}${column}, '')`).join(` || ${separator} || `)

/** Only ASCII is folded, on both engines. */
const sqliteText = (row: string, columns: readonly string[]): string =>
  `lower(${joined(row, columns, 'char(1)')})`
const postgresText = (row: string, columns: readonly string[]): string =>
  `lower((${joined(row, columns, 'chr(1)')}) collate "C")`

/** A click changes none of them. */
const CHANGING = [...ADDRESS, ...WORDS, 'trashed_at'].join(', ')

const remove = `delete from link_search_texts where user_uuid = old.user_uuid and link_uuid = old.uuid`

const sqliteTriggers = (insert: (row: string) => string): string[] => [
  `create trigger link_search_texts_insert after insert on links when new.trashed_at = 0
    begin ${insert('new.')}; end`,
  `create trigger link_search_texts_update after update of ${CHANGING} on links
    begin ${remove}; ${insert('new.')} where new.trashed_at = 0; end`,
  `create trigger link_search_texts_delete after delete on links begin ${remove}; end`,
]

const postgresTriggers = (insert: (row: string) => string): string[] => [
  // One statement for all links of an import.
  `create function link_search_texts_insert() returns trigger language plpgsql as $$
    begin
      ${insert('')} from added where trashed_at = 0;
      return null;
    end $$`,
  `create function link_search_texts_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        ${remove};
      elsif new.trashed_at <> 0 then
        ${remove};
      else
        ${insert('new.')}
          on conflict (user_uuid, link_uuid)
            do update set address = excluded.address, words = excluded.words;
      end if;
      return null;
    end $$`,
  `create trigger link_search_texts_insert after insert on links referencing new table as added
    for each statement execute function link_search_texts_insert()`,
  `create trigger link_search_texts_update after update of ${CHANGING} on links
    for each row execute function link_search_texts_change()`,
  `create trigger link_search_texts_delete after delete on links
    for each row execute function link_search_texts_change()`,
]
