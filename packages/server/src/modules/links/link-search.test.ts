import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertTestLink } from '../../clicks/testing.ts'
import type { Database } from '../../storage/db/database.ts'
import { fold, isAscii } from '../../storage/db/dialect.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { listWindow } from '../owned/listing.ts'
import { linkFields, tagRows } from './link-fields.ts'
import type { LinkFilter } from './link-search.ts'
import { createLinkStore, type LinkStore } from './links.store.ts'

/** More than are read by their uuids. */
const MANY = 600

forEachDatabase((_engine, open) => {
  let db: Database
  let store: LinkStore

  beforeAll(async () => {
    db = await open()
    store = createLinkStore(db)
  })

  const searched = (search: string, filter: Partial<LinkFilter> = {}) => ({
    ...listWindow({ search }),
    tag: undefined,
    state: undefined,
    ...filter,
  })
  /** The results of a search; their count must agree. */
  async function found(user: string, search: string, filter: Partial<LinkFilter> = {}): Promise<string[]> {
    const rows = await store.list(user, searched(search, filter))
    expect(await store.count(user, searched(search, filter))).toBe(rows.length)
    return rows.map(({ uuid }) => uuid)
  }

  it('searches every searchable column', async () => {
    const user = await insertTestUser(db)
    expect(linkFields.searched.length).toBeGreaterThan(4)
    for (const column of linkFields.searched) {
      const { uuid } = await insertTestLink(db, { workspace_uuid: user, [column]: `Only In ${column}` })
      expect(await found(user, `only in ${column.toUpperCase()}`)).toEqual([uuid])
    }
  })

  it('reflects edits, the trash and removal', async () => {
    const [user, other] = [await insertTestUser(db), await insertTestUser(db)]
    const row = await insertTestLink(db, { workspace_uuid: user, title: 'Before' })
    await insertTestLink(db, { workspace_uuid: other, title: 'Before and after' })
    await db.write(() => store.update(row, { title: 'After' }))
    expect([await found(user, 'before'), await found(user, 'after')]).toEqual([[], [row.uuid]])
    await db.write(() => store.moveToTrash(user, [row.uuid], 1))
    expect(await found(user, 'after')).toEqual([])
    await db.write(() => store.moveToTrash(user, [row.uuid], 0))
    expect(await found(user, 'after')).toEqual([row.uuid])
    await db.write(() => store.remove(user, [row.uuid]))
    expect(await found(user, 'after')).toEqual([])
    const left = await db.sql
      .selectFrom('link_search_texts')
      .selectAll()
      .where('workspace_uuid', '=', user)
      .execute()
    expect(left).toEqual([])
  })

  it('does not match across columns', async () => {
    const user = await insertTestUser(db)
    const { uuid } = await insertTestLink(db, { workspace_uuid: user, title: 'left\u0001 right', tag: 'tag' })
    for (const search of ['tag\u0001', '\u0001tag', 'lefttag', 'righttag'])
      expect(await found(user, search), search).toEqual([])
    expect(await found(user, 'LEFT\u0001 r')).toEqual([uuid])
  })

  it('equals case folding of every column, for texts of many scripts', async () => {
    const user = await insertTestUser(db)
    const characters = Array.from("aAbBiIkKzZ%_\\'-ßäÄéÉΣσςДд漢🎉שİ\u212a")
    const text = array(constantFrom(...characters), { minLength: 1, maxLength: 4 }).map((list) =>
      list.join(''),
    )
    await assert(
      asyncProperty(text, text, text, async (title, description, search) => {
        const texts = { url: '0', short_code: '1', title, description }
        const { uuid } = await insertTestLink(db, { workspace_uuid: user, ...texts })
        // An ASCII search folds only ASCII; for Unicode, İ contains an i and the Kelvin sign is a k.
        const isFolded = !isAscii(search) || !/[İ\u212a]/.test(title + description)
        const expected = [title, description].some((value) => fold(value).includes(fold(search)))
        if (isFolded) expect((await found(user, search)).includes(uuid)).toBe(expected)
        await db.write(() => store.remove(user, [uuid]))
      }),
      { numRuns: 100 },
    )
  })

  describe('of more links than are read by their uuids', () => {
    let user = ''
    const nowMs = 1_000
    const states = [undefined, 'active', 'expired', 'archived'] as const

    beforeAll(async () => {
      user = await insertTestUser(db)
      const row = await insertTestLink(db, { workspace_uuid: await insertTestUser(db) })
      const rows = Array.from({ length: MANY }, (_, number) => ({
        ...row,
        uuid: crypto.randomUUID(),
        workspace_uuid: user,
        title: `Common ${number}`,
        clicks: number % 7,
        domain: number % 3 === 0 ? 'go.example' : '',
        archived: number % 100 === 1 ? (1 as const) : (0 as const),
        expires_at: number % 100 === 2 ? 1 : null,
      }))
      await db.write(() => store.insertMany(rows))
    })

    it.each(states)('lists and counts the same, state %s', async (is) => {
      const state = is && { is, nowMs }
      for (const sort of ['created_at', 'clicks']) {
        const window = (search: string) => ({
          ...searched(search, { state }),
          ...listWindow({ search, limit: 1_000 }, { sort }),
        })
        const [all, few] = [
          await store.list(user, window('common')),
          await store.list(user, window('common 11')),
        ]
        // Of all rows, those of the narrower search, in the same order: 11, and 110 to 119.
        const expected = all.filter(({ title }) => title?.includes('Common 11'))
        expect(few.map(({ title }) => title)).toEqual(expected.map(({ title }) => title))
        expect(await store.count(user, window('common'))).toBe(all.length)
        expect(await store.count(user, window('common 11'))).toBe(few.length)
      }
      const totals = { all: MANY, active: MANY - 12, expired: 6, archived: 6 }
      expect(await store.count(user, searched('common', { state }))).toBe(totals[is ?? 'all'])
    })

    it('continues after a page, past links that are not active, in both orders', async () => {
      const state = { is: 'active', nowMs } as const
      for (const order of ['asc', 'desc'] as const) {
        const window = (cursor?: string) => ({
          ...searched('common', { state }),
          ...listWindow({ search: 'common', limit: 100, cursor }, { order }),
        })
        const all = await store.list(user, { ...window(), take: MANY })
        const [first, second] = [all.slice(0, 100), all.slice(100, 201)]
        const cursor = Buffer.from(first.at(-1)?.uuid ?? '').toString('base64url')
        expect(all).toHaveLength(MANY - 12)
        expect(await store.list(user, window(cursor))).toEqual(second)
      }
    })

    it('finds few links of a tag', async () => {
      const [row] = await store.list(user, searched('common 42'))
      if (row !== undefined) await db.write(() => store.insertTags(tagRows(row, ['blue'])))
      expect(await found(user, 'common 4', { tag: 'blue' })).toEqual([row?.uuid])
      expect(await found(user, 'common', { tag: 'blue' })).toEqual([row?.uuid])
      expect(await found(user, 'common 5', { tag: 'blue' })).toEqual([])
    })

    it('counts those of one domain', async () => {
      const filter = { domain: 'go.example' }
      expect(await store.count(user, searched('common', filter))).toBe(MANY / 3)
      expect(await found(user, 'common 33', filter)).toHaveLength(5)
    })
  })
})
