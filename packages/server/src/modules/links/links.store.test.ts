import { expect, it } from 'vitest'
import { insertTestLink } from '../../clicks/testing.ts'
import { chunksOf, type Database } from '../../storage/db/database.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { listWindow } from '../owned/listing.ts'
import { tagRows } from './link-fields.ts'
import { createLinkStore } from './links.store.ts'

const whole = { ...listWindow({}), tag: undefined, state: undefined }

forEachDatabase((_engine, open) => {
  const opened = async () => {
    const db: Database = await open()
    const [user, other] = [await insertTestUser(db), await insertTestUser(db)]
    return { db, store: createLinkStore(db), user, other }
  }

  it('inserts a short code unless it is in use or has a tombstone, separately for each domain', async () => {
    const { db, store, user } = await opened()
    const link = await insertTestLink(db, { workspace_uuid: user })
    const row = (short_code: string, domain = '') => ({
      domain,
      short_code,
      link_uuid: link.uuid,
      created_at: 1,
    })
    const hash = 'the hash of a removed code'
    const inserted = await db.write(async () => {
      await db.sql.insertInto('tombstones').values({ hash, created_at: 1 }).execute()
      return [
        await store.insertShortCode(row('a'), 'no tombstone'),
        await store.insertShortCode(row('a'), 'no tombstone'),
        await store.insertShortCode(row('a', 'go.example'), 'no tombstone'),
        await store.insertShortCode(row('b'), hash),
      ]
    })
    expect(inserted).toEqual([true, false, true, false])
    expect(await store.findShortCode({ domain: 'go.example', short_code: 'a' })).toBe(link.uuid)
    expect(await store.findShortCode({ domain: '', short_code: 'b' })).toBeUndefined()
    expect(await store.shortCodesOf([link.uuid])).toHaveLength(2)
  })

  it('shows and changes only rows of the owner', async () => {
    const { db, store, user, other } = await opened()
    const row = await insertTestLink(db, { workspace_uuid: user })
    const { uuid } = row
    expect([(await store.find(user, uuid))?.uuid, await store.find(other, uuid)]).toEqual([uuid, undefined])
    expect([await store.findMany(user, [uuid]), await store.findMany(other, [uuid])]).toMatchObject([
      [{ uuid }],
      [],
    ])
    expect(await store.findMany(user, [])).toEqual([])
    const changes = { url: 'https://example.com/changed' }
    expect(await db.write(() => store.update({ ...row, workspace_uuid: other }, changes))).toBe(false)
    expect(await db.write(() => store.update({ ...row, updated_at: -1 }, changes))).toBe(false)
    expect(await db.write(() => store.update(row, changes))).toBe(true)
    expect(await db.write(() => store.remove(other, [uuid]))).toBe(0)
    expect(await store.list(user, whole)).toMatchObject([changes])
    expect(await db.write(() => store.remove(user, [uuid]))).toBe(1)
    expect(await store.someOf(user, 10)).toEqual([])
  })

  it('deletes the short codes of a link with it', async () => {
    const { db, store, user } = await opened()
    const { uuid } = await insertTestLink(db, { workspace_uuid: user })
    await db.write(() =>
      store.insertShortCode({ domain: '', short_code: 'x', link_uuid: uuid, created_at: 1 }, ''),
    )
    await db.write(() => store.remove(user, [uuid]))
    expect(await store.findShortCode({ domain: '', short_code: 'x' })).toBeUndefined()
  })

  it('lists and counts the links of a large tag in pages, with any other filter', async () => {
    const { db, store, user } = await opened()
    const TAGGED = 700
    const one = await insertTestLink(db, { workspace_uuid: user })
    const rows = Array.from({ length: TAGGED }, (_, n) => ({
      ...one,
      uuid: crypto.randomUUID(),
      short_code: crypto.randomUUID(),
      archived: n % 400 === 7 ? (1 as const) : (0 as const),
    }))
    await db.write(async () => {
      for (const some of chunksOf(rows, 400)) await store.insertMany(some)
      await store.insertTags(rows.flatMap((row) => tagRows(row, ['large'])))
    })
    const list = async (narrowed: object, order: 'asc' | 'desc') => {
      const found: string[] = []
      for (;;) {
        const last = found.at(-1)
        const after = last === undefined ? undefined : { value: 0, uuid: last }
        const window = {
          ...whole,
          ...listWindow({ limit: 500 }, { order }),
          tag: 'large',
          ...narrowed,
          after,
        }
        const page = await store.list(user, window)
        if (page.length === 0) return found
        found.push(...page.map(({ uuid }) => uuid))
      }
    }
    const all = await list({}, 'desc')
    expect(all).toEqual([...new Set(all)].toSorted().toReversed())
    expect(all).toHaveLength(TAGGED)
    expect(await list({}, 'asc')).toEqual(all.toReversed())
    const archived = { state: { is: 'archived', nowMs: 0 } } as const
    expect(await list(archived, 'desc')).toHaveLength(2)
    expect(await store.count(user, { ...whole, tag: 'large' })).toBe(TAGGED)
    expect(await store.count(user, { ...whole, tag: 'large', ...archived })).toBe(2)
    expect(await store.list(user, { ...whole, tag: 'none' })).toEqual([])
  })

  it('counts the results of a search and a tag', async () => {
    const { db, store, user } = await opened()
    const insert = async (url: string, ...tags: string[]) => {
      const link = await insertTestLink(db, { workspace_uuid: user, url, tag: tags[0] ?? null })
      await db.write(() => store.insertTags(tagRows(link, tags)))
    }
    await insert('https://example.com/100%', 'a')
    await insert('https://example.com/1000', 'c', 'a')
    await insert('https://example.com/', 'b')
    // A percent sign is an ordinary character.
    expect(await store.count(user, { ...whole, search: '100%' })).toBe(1)
    expect(await store.count(user, { ...whole, search: '100', tag: 'a' })).toBe(2)
    expect(await store.count(user, { ...whole, tag: 'b' })).toBe(1)
    expect(await store.tags(user)).toEqual([
      { tag: 'a', links: 2 },
      { tag: 'b', links: 1 },
      { tag: 'c', links: 1 },
    ])
  })
})
