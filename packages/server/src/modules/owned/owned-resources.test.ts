import { expect, it } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { createOwnedRows } from './owned-rows.ts'
import type { UtmLinkRow } from '../../storage/db/tables.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { bumpTotal } from '../../storage/db/kept-totals.ts'
import { eraseSomeOwned, findOwned, listOwned } from './owned-resources.ts'

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

const rowOf = (userUuid: string, n: number): UtmLinkRow => ({
  uuid: uuid(n),
  user_uuid: userUuid,
  url: `https://example.com/${n % 2 === 0 ? 'even' : 'odd'}`,
  source: null,
  medium: null,
  campaign: null,
  content: null,
  term: null,
  utm_url: '',
  link_uuid: null,
  warnings: '[]',
  created_at: n,
  updated_at: n,
})

forEachDatabase((_engine, open) => {
  const furnished = async () => {
    const db: Database = await open()
    const store = createOwnedRows(db, 'utm_links', ['url'])
    const [owner, other] = [await insertTestUser(db), await insertTestUser(db)]
    await db.write(async () => {
      for (const n of [1, 2, 3, 4, 5]) await store.insert(rowOf(owner, n))
      await store.insert(rowOf(other, 6))
      // Not what a count would say, so that it shows where a total comes from.
      await bumpTotal(db, owner, 'utm', 50)
    })
    return { db, store, owner, other }
  }

  it('finds what is one’s own, and says of the rest that there is no such thing', async () => {
    const { store, owner, other } = await furnished()
    expect((await findOwned(store, owner, uuid(1), 'thing')).created_at).toBe(1)
    for (const [user, n] of [
      [other, 1],
      [owner, 6],
      [owner, 7],
    ] as const)
      await expect(findOwned(store, user, uuid(n), 'thing')).rejects.toMatchObject({
        code: 'not_found',
        message: 'There is no such thing',
      })
  })

  it('lists with the kept total, counts what is searched for, and looks up for all rows at once', async () => {
    const { db, store, owner } = await furnished()
    let lookups = 0
    const list = (request: object) =>
      listOwned({ db, store }, 'utm', owner, request, async () => {
        lookups++
        return (row) => row.created_at
      })
    const first = await list({ limit: 3 })
    expect([first.items, first.total]).toEqual([[5, 4, 3], 50])
    const rest = await list({ limit: 3, cursor: first.nextCursor ?? '' })
    expect([rest.items, rest.total, rest.nextCursor]).toEqual([[2, 1], 50, null])
    const found = await list({ search: 'even', limit: 1 })
    expect([found.items, found.total]).toEqual([[4], 2])
    expect(lookups).toBe(3)
  })

  it('erases batch by batch until nothing of the user is left', async () => {
    const { db, store, owner, other } = await furnished()
    const erase = () =>
      db.write(() =>
        eraseSomeOwned(store, owner, 2, async (row) => {
          await store.remove(row.user_uuid, row.uuid)
        }),
      )
    expect([await erase(), await erase(), await erase(), await erase()]).toEqual([true, true, true, false])
    expect(await store.someOf(owner, 10)).toEqual([])
    expect(await store.someOf(other, 10)).toHaveLength(1)
  })
})
