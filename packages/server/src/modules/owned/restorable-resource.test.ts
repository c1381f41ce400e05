import { expect, it } from 'vitest'
import type { UtmLinkRow } from '../../storage/db/tables.ts'
import { bumpTotal, readTotal } from '../../storage/db/totals.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { RestorableResource } from './restorable-resource.ts'
import { createRestorableRows } from './owned-rows.ts'
import { createTrashStore } from './trash.store.ts'

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

const rowOf = (workspaceUuid: string, n: number): UtmLinkRow => ({
  uuid: uuid(n),
  workspace_uuid: workspaceUuid,
  url: `https://example.com/${n % 2 === 0 ? 'even' : 'odd'}`,
  source: null,
  medium: null,
  campaign: null,
  content: null,
  term: null,
  utm_url: '',
  link_uuid: null,
  warnings: '[]',
  created_by: null,
  created_at: n,
  updated_at: n,
  trashed_at: 0,
})

forEachDatabase((_engine, open) => {
  const furnished = async () => {
    const db = await open()
    const store = createRestorableRows(db, 'utm_links', { searched: ['url'] })
    const trash = createTrashStore(db)
    const [owner, other] = [await insertTestUser(db), await insertTestUser(db)]
    const seen: string[] = []
    const things = new RestorableResource(
      {
        db,
        trash,
        now: () => 1_000,
        newId: () => uuid(9),
        events: {
          async record(_user, type, items) {
            seen.push(`${type} ${(await items()).map((item) => item.uuid.slice(-1)).join('')}`)
          },
        },
        quotas: {
          take: (user, name, count = 1) => bumpTotal(db, user, name, count),
          adjust: (user, name, count) => bumpTotal(db, user, name, count),
        },
      },
      store,
      {
        type: 'utm',
        noun: 'thing',
        total: 'utm',
        label: (row) => `thing ${row.created_at}`,
        presenterOf: (_user, rows) => {
          seen.push(`presents ${rows.length}`)
          return Promise.resolve((row) => ({ uuid: row.uuid, at: row.created_at }))
        },
        moved: (_user, rows, isTrashed) => {
          seen.push(`moved ${rows.length} ${isTrashed}`)
          return Promise.resolve()
        },
        erasing: (_user, rows) => {
          seen.push(`erasing ${rows.length}`)
          return Promise.resolve()
        },
      },
    )
    await db.write(async () => {
      for (const n of [1, 2, 3, 4, 5]) await store.insert(rowOf(owner, n))
      await store.insert(rowOf(other, 6))
      // Differs from the real count, which shows where a total comes from.
      await bumpTotal(db, owner, 'utm', 50)
    })
    return { db, store, trash, things, owner, other, seen }
  }

  it('finds only rows of the user, and treats others as missing', async () => {
    const { things, owner, other } = await furnished()
    expect((await things.find(owner, uuid(1))).created_at).toBe(1)
    for (const [user, n] of [
      [other, 1],
      [owner, 6],
      [owner, 7],
    ] as const)
      await expect(things.find(user, uuid(n))).rejects.toMatchObject({
        code: 'not_found',
        message: 'There is no such thing',
      })
  })

  it('lists with the stored total, counts search results, and presents all rows at once', async () => {
    const { things, owner, seen } = await furnished()
    const list = async (request: object) => {
      const { items, total, nextCursor } = await things.list(owner, request)
      return { items: items.map(({ at }) => at), total, nextCursor }
    }
    const first = await list({ limit: 3 })
    expect([first.items, first.total]).toEqual([[5, 4, 3], 50])
    const rest = await list({ limit: 3, cursor: first.nextCursor ?? '' })
    expect([rest.items, rest.total, rest.nextCursor]).toEqual([[2, 1], 50, null])
    const found = await list({ search: 'even', limit: 1 })
    expect([found.items, found.total]).toEqual([[4], 2])
    expect(seen).toHaveLength(3)
  })

  it('moves rows to the trash, all or none, where only restoring finds them', async () => {
    const { db, store, trash, things, owner, seen } = await furnished()
    for (const unknown of [uuid(6), uuid(7)])
      await expect(things.remove(owner, { uuids: [uuid(1), unknown] })).rejects.toMatchObject({
        code: 'not_found',
        message: `There is no such thing: ${unknown}`,
      })
    expect([await readTotal(db, owner, 'utm'), seen]).toEqual([50, []])

    expect(await things.remove(owner, { uuids: [uuid(1), uuid(2), uuid(1)] })).toEqual({
      uuids: [uuid(1), uuid(2)],
    })
    expect(seen.splice(0)).toEqual(['moved 2 true', 'utm.removed 12'])
    expect([await readTotal(db, owner, 'utm'), await readTotal(db, owner, 'trash')]).toEqual([48, 2])
    await expect(things.find(owner, uuid(1))).rejects.toMatchObject({ code: 'not_found' })
    await expect(things.remove(owner, { uuid: uuid(1) })).rejects.toMatchObject({ code: 'not_found' })
    expect(await db.write(() => store.update(rowOf(owner, 1), { url: 'x' }))).toBe(false)
    expect((await things.list(owner, {})).items.map(({ at }) => at)).toEqual([5, 4, 3])
    expect((await things.list(owner, { search: 'odd' })).total).toBe(2)

    seen.length = 0
    await db.write(async () => {
      const taken = await trash.take(owner, [uuid(1)])
      expect(taken).toMatchObject([{ type: 'utm', label: 'thing 1', trashed_at: 1_000 }])
      await things.restore(owner, [uuid(1)])
    })
    expect(seen).toEqual(['moved 1 false', 'presents 1', 'utm.restored 1'])
    expect(await readTotal(db, owner, 'utm')).toBe(49)
    expect(await things.find(owner, uuid(1))).toMatchObject(rowOf(owner, 1))
  })

  it('creates and edits rows, rejects outdated edits, and records events', async () => {
    const { db, store, things, owner, seen } = await furnished()
    const row = { ...rowOf(owner, 9), ...things.newRow(owner) }
    expect(row).toMatchObject({ uuid: uuid(9), workspace_uuid: owner, created_at: 1_000, updated_at: 1_000 })
    await db.write(async () => {
      await store.insert(row)
      expect(await things.record('created', row)).toEqual({ uuid: uuid(9), at: 1_000 })
      const edited = await things.update(row, { url: 'x' })
      expect(edited).toMatchObject({ ...row, url: 'x', updated_at: 1_001 })
      await things.record('edited', edited)
      expect(await things.find(owner, row.uuid)).toMatchObject(edited)
    })
    expect(seen).toEqual(['presents 1', 'utm.created 9', 'presents 1', 'utm.edited 9'])
    const late = db.write(() => things.update(row, { url: 'y' }))
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
  })

  it('erases permanently removed rows immediately', async () => {
    const { db, things, store, owner, seen } = await furnished()
    expect(await things.remove(owner, { uuid: uuid(3), permanent: true })).toEqual({ uuid: uuid(3) })
    expect(seen).toEqual(['moved 1 true', 'utm.removed 3', 'erasing 1'])
    expect(await store.findMany(owner, [uuid(3)])).toEqual([])
    expect([await readTotal(db, owner, 'utm'), await readTotal(db, owner, 'trash')]).toEqual([49, 0])
  })

  it('erases only a deleted user’s rows, including those in the trash', async () => {
    const { db, store, things, owner, other } = await furnished()
    await things.remove(owner, { uuid: uuid(2) })
    const erase = () => db.write(() => things.eraseSome(owner))
    expect([await erase(), await erase()]).toEqual([true, false])
    expect(await store.someOf(owner, 10)).toEqual([])
    expect(await store.someOf(other, 10)).toHaveLength(1)
  })
})
