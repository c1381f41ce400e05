import { describe, expect, it } from 'vitest'
import { forEachDatabase } from './db/testing.ts'
import { type ErasedName, createTombstones } from './tombstones.ts'

forEachDatabase((_, open) => {
  describe('tombstones', () => {
    it('know erased names exactly without revealing them', async () => {
      const db = await open()
      const tombstones = createTombstones(db, Buffer.from('a key of thirty-two bytes or more'), () => 1)
      await db.write(() =>
        tombstones.add([
          ['code', '', 'Summer'],
          ['slug', 'go.example.com', 'sale'],
        ]),
      )
      await db.write(() => tombstones.add([['code', '', 'Summer']]))
      const erased: [boolean, ErasedName][] = [
        [true, ['code', '', 'Summer']],
        [true, ['slug', 'go.example.com', 'sale']],
        [false, ['code', '', 'summer']],
        [false, ['code', 'go.example.com', 'Summer']],
        [false, ['slug', '', 'Summer']],
        [false, ['media', 'Summer']],
      ]
      for (const [expected, name] of erased)
        expect([name, await tombstones.has(name)]).toEqual([name, expected])
      const rows = await db.sql.selectFrom('tombstones').selectAll().execute()
      expect(rows).toHaveLength(2)
      expect(JSON.stringify(rows)).not.toMatch(/summer|sale|example/i)
    })

    it('accept many names at once, and none', async () => {
      const db = await open()
      const tombstones = createTombstones(db, Buffer.from('a key of thirty-two bytes or more'), () => 1)
      const names = Array.from({ length: 1001 }, (_, n): ErasedName => ['code', '', `c${n}`])
      await db.write(() => tombstones.add(names))
      await db.write(() => tombstones.add([]))
      expect(await tombstones.has(['code', '', 'c1000'])).toBe(true)
    })
  })
})
