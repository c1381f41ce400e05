import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { lockLinks } from '../bulk-edits/link-writer.ts'
import { createLinkStore } from '../links/links.store.ts'
import { createBarcodeStore } from '../barcodes/barcodes.store.ts'
import { createPageStore } from '../pages/pages.store.ts'
import { createQrcodeStore } from '../qrcodes/qrcodes.store.ts'
import { createUtmStore } from '../utm/utm.store.ts'
import type { Database } from '../../storage/db/database.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { listWindow } from './listing.ts'
import { createTrashStore } from './trash.store.ts'

/** Enough for PostgreSQL to prefer an index; on SQLite the number does not matter. */
const ROWS = 40_000
/** Number of rows that PostgreSQL may sort instead of walking an index: a hundredth of all rows. */
const SORTED = ROWS / 100
/** One row in this many belongs to the user. */
const SHARE = 4
const UUID = '00000000-0000-7000-8000-000000020001'

/** The database, and a function that returns the plans of the statements since the last call. */
function planned(db: Database): { db: Database; plans: () => Promise<string[]> } {
  const statements: CompiledQuery[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.sql.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const explain = db.engine === 'sqlite' ? 'explain query plan ' : 'explain '
  return {
    db: { ...db, dialect: db.dialect, engine: db.engine, sql: db.sql.withPlugin(plugin) },
    async plans() {
      const texts: string[] = []
      for (const { sql: text, parameters } of statements.splice(0)) {
        const { rows } = await db.sql.executeQuery(CompiledQuery.raw(explain + text, [...parameters]))
        texts.push(rows.map((row) => Object.values(row as object).at(-1)).join('\n'))
      }
      return texts
    },
  }
}

const tables = {
  links: `uuid, workspace_uuid, domain, short_code, url, custom, redirect, clicks, bot_clicks, expires_at, max_clicks,
      last_click_at, archived, created_at, updated_at
    select $uuid, $user, '', 'c' || n, 'https://example.com/' || n, 0, 302, n % 97, 0,
      case when n % 501 = 0 then n end, case when n % 703 = 0 then 0 end,
      case when n % 3 = 0 then n end, case when n % 301 = 0 then 1 else 0 end, 0, 0`,
  qrcodes: `uuid, workspace_uuid, url, size, color, eye_color, background, margin, pattern, dynamic, encodes, drawing, warnings,
      version, created_at, updated_at
    select $uuid, $user, 'https://example.com/' || n, 1, '', '', '', 4, '', 0, '', '', '', '', 0, 0`,
  barcodes: `uuid, workspace_uuid, url, size, color, text_size, text_color, text_position, symbology, dynamic, encodes,
      warnings, version, created_at, updated_at
    select $uuid, $user, 'https://example.com/' || n, 1, '', 1, '', '', '', 0, '', '', '', 0, 0`,
  utm_links: `uuid, workspace_uuid, url, utm_url, warnings, created_at, updated_at
    select $uuid, $user, 'https://example.com/' || n, '', '', 0, 0`,
  pages: `uuid, workspace_uuid, domain, slug, title, config, views, version, created_at, updated_at
    select $uuid, $user, '', 's' || n, 'Page ' || n, '', 0, '', 0, 0`,
  trash: `uuid, workspace_uuid, type, label, trashed_at select $uuid, $user, 'link', 'Link ' || n, n`,
}

async function fill(db: Database, user: string, other: string): Promise<void> {
  const numbers =
    db.engine === 'sqlite'
      ? `(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS}) select n from numbers)`
      : `(select n from generate_series(1, ${ROWS}) as n)`
  const digits = db.engine === 'sqlite' ? `printf('%012d', n)` : `lpad(n::text, 12, '0')`
  for (const [table, rows] of Object.entries(tables)) {
    const [columns = '', values = ''] = rows
      .replace('$uuid', `'00000000-0000-7000-8000-' || ${digits}`)
      .replace('$user', `case when n % ${SHARE} = 1 then '${user}' else '${other}' end`)
      .split(/select (?=')/)
    const text = `insert into ${table} (${columns}) select ${values} from ${numbers} as numbers`
    await db.write(() => sql.raw(text).execute(db.sql))
  }
  for (const text of [
    `insert into limited_clicks (link_uuid, used) select uuid, 1 from links`,
    `insert into totals (workspace_uuid, resource, total) select uuid, 'links', 1 from links`,
    `insert into link_tags (workspace_uuid, tag, link_uuid) select workspace_uuid, 'wide', uuid from links`,
    `insert into link_tags (workspace_uuid, tag, link_uuid) select workspace_uuid, 'narrow', uuid from links where clicks = 7`,
  ])
    await db.write(() => sql.raw(text).execute(db.sql))
  // Autovacuum does this by itself after a while.
  if (db.engine === 'postgres') await sql`analyze`.execute(db.sql)
}

forEachDatabase((engine, open) => {
  let db: Database
  let plans: () => Promise<string[]>
  let user: string
  beforeAll(async () => {
    // On a busy machine, filling takes longer than the service's statement timeout.
    const real = await open({ statementTimeoutMs: 120_000 })
    user = await insertTestUser(real)
    await fill(real, user, await insertTestUser(real))
    ;({ db, plans } = planned(real))
  })

  /** No table is scanned completely, and at most a few rows are sorted after reading. */
  const expectIndexes = async (): Promise<void> => {
    const all = await plans()
    expect(all.length).toBeGreaterThan(0)
    // A search reads all search texts of a user; here PostgreSQL may also scan the whole table, because that is only four times
    // as much.
    const texts = engine === 'sqlite' ? all : all.filter((text) => !text.includes('on link_search_texts'))
    for (const text of texts) {
      expect(text).toMatch(engine === 'sqlite' ? /USING (COVERING )?INDEX|USING PRIMARY KEY/ : /Index/)
      expect(text).not.toMatch(engine === 'sqlite' ? /\bSCAN\b|TEMP B-TREE/ : /Seq Scan/)
      const sorted = text.matchAll(/-> {2}Sort .*rows=(\d+)/g)
      for (const [, rows] of sorted) expect(Number(rows)).toBeLessThan(SORTED)
    }
  }

  /** A place in the middle of every list, for any sort order. */
  const placeBy = (sort: string) => ({ value: sort === 'clicks' ? 50 : 20_000, uuid: UUID })
  const after = placeBy('created_at')
  const windows = {
    'the first page': {},
    'a page in the middle': { after },
    'one row': { uuid: UUID },
    'a search': { search: '999', after },
  }

  const stores = () => ({
    links: createLinkStore(db),
    qrcodes: createQrcodeStore(db),
    barcodes: createBarcodeStore(db),
    utm_links: createUtmStore(db),
    pages: createPageStore(db),
    trash: createTrashStore(db),
  })
  const unnarrowed = { tag: undefined, state: undefined, types: undefined }

  describe.each(Object.keys(tables) as (keyof typeof tables)[])('%s', (table) => {
    it.each(Object.entries(windows))('%s is read through an index', async (_name, given) => {
      const window = { ...listWindow({}), ...unnarrowed, ...given }
      expect((await stores()[table].list(user, window)).length).toBeGreaterThan(0)
      await expectIndexes()
    })
  })

  describe('links', () => {
    const sorts = ['created_at', 'clicks', 'last_click_at'] as const
    const states = [undefined, 'active', 'expired', 'archived'] as const
    const cases = sorts.flatMap((sort) =>
      (['asc', 'desc'] as const).flatMap((order) => states.map((state) => ({ sort, order, state }))),
    )

    it.each(cases)('sorted by $sort $order, state $state', async ({ sort, order, state }) => {
      const store = createLinkStore(db)
      for (const place of [undefined, placeBy(sort)]) {
        const narrowed = { tag: undefined, state: state && { is: state, nowMs: 30_000 } }
        const window = { ...listWindow({}, { sort, order }), ...narrowed, after: place }
        expect((await store.list(user, window)).length).toBeGreaterThan(0)
        if (sort === 'created_at' || state === undefined || state === 'active') await expectIndexes()
        // The links that are set aside are few, and sorted after reading.
        else expect(await plans()).toEqual([expect.stringMatching(/links_set_aside/)])
      }
    })

    const tags = ['narrow', 'wide'].flatMap((tag) => sorts.map((sort) => ({ tag, sort })))
    it.each(tags)('with a $tag tag, sorted by $sort', async ({ tag, sort }) => {
      const store = createLinkStore(db)
      for (const order of ['asc', 'desc'] as const)
        for (const place of [undefined, placeBy(sort)]) {
          const window = { ...listWindow({}, { sort, order }), tag, state: undefined, after: place }
          await store.list(user, window)
          const texts = await plans()
          expect(texts.length).toBeGreaterThan(0)
          // `part` is a range of tags, which was read through an index.
          for (const text of texts)
            expect(text).not.toMatch(engine === 'sqlite' ? /SCAN (?!part)/ : /Seq Scan/)
        }
    })

    it.each(sorts)(
      'sorted by %s, a page in the middle is not reached through those before it',
      async (sort) => {
        const window = { ...listWindow({}, { sort }), ...unnarrowed, after: placeBy(sort) }
        await createLinkStore(db).list(user, window)
        const texts = await plans()
        expect(texts.length).toBeGreaterThan(0)
        const bounded = {
          sqlite: { created_at: /uuid<\?/, clicks: /clicks[<=]\?/, last_click_at: /<expr>[<=]\?/ },
          postgres: {
            created_at: /Index Cond: .*uuid < /,
            clicks: /Index Cond: .*ROW\(clicks, uuid\) < /,
            last_click_at: /Index Cond: .*ROW\(COALESCE\(last_click_at, .*\), uuid\) < /,
          },
        }
        for (const text of texts) expect(text).toMatch(bounded[engine][sort])
      },
    )

    it('to reuse for a destination are found through their own index, in order', async () => {
      await createLinkStore(db).listPlain(user, '', 'https://example.com/', 20)
      const texts = await plans()
      expect(texts).toHaveLength(1)
      for (const text of texts) {
        expect(text).toMatch(/links_plain/)
        expect(text).not.toMatch(/TEMP B-TREE|Sort/)
      }
    })

    it('given by uuid are not searched among all of the account', async () => {
      const uuids = Array.from({ length: 100 }, () => crypto.randomUUID())
      await createLinkStore(db).findMany(user, uuids)
      await lockLinks(db, user, uuids)
      const texts = await plans()
      expect(texts).toHaveLength(2)
      for (const text of texts)
        expect(text).toMatch(engine === 'sqlite' ? /USING PRIMARY KEY \(uuid=\?\)/ : /links_pkey/)
    })

    it.each([undefined, 'active'] as const)(
      'of a search, state %s, are counted by their texts',
      async (is) => {
        const state = is && { is, nowMs: 30_000 }
        await createLinkStore(db).count(user, { search: '99', uuid: undefined, tag: undefined, state })
        const [all, inactive] = await plans()
        expect(all).toMatch(/link_search_texts/)
        expect(all).not.toMatch(/\blinks\b/)
        if (is === 'active') expect(inactive).toMatch(/links_set_aside/)
      },
    )

    it.each(sorts)('few results of a search, sorted by %s, are read by uuid', async (sort) => {
      const window = { ...listWindow({ search: '999' }, { sort }), ...unnarrowed }
      expect((await createLinkStore(db).list(user, window)).length).toBeGreaterThan(0)
      const [, rows] = await plans()
      if (engine === 'sqlite') expect(rows).toMatch(/links_workspace_uuid_trashed_at_uuid \(.*\buuid=\?\)/)
      else expect(rows).toMatch(/uuid = ANY/)
    })

    it.each(['active', 'expired', 'archived'] as const)(
      'that are %s are counted through an index',
      async (is) => {
        const filter = { search: undefined, uuid: undefined, tag: undefined, state: { is, nowMs: 30_000 } }
        await createLinkStore(db).count(user, filter)
        await expectIndexes()
      },
    )
  })
})
