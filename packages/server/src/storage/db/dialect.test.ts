import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from './database.ts'
import { fold } from './dialect.ts'
import { forEachDatabase, insertTestUser } from './testing.ts'

forEachDatabase((engine, open) => {
  let db: Database

  beforeAll(async () => {
    db = await open()
  })

  /** The engine's result for one value, stored in a real column. */
  async function contains(value: string | null, text: string): Promise<boolean> {
    const row = await db.sql
      .selectFrom(sql<{ value: string | null }>`(select cast(${value} as text) as value)`.as('one'))
      .select('one.value')
      .where(db.dialect.contains(['one.value'], text))
      .executeTakeFirst()
    return row !== undefined
  }

  describe('contains', () => {
    it.each([
      ['https://Example.com/Path', 'example.COM'],
      ['Grüße aus KÖLN', 'köln'],
      ['ПРИВЕТ мир', 'привет МИР'],
      ['ΟΔΟΣ', 'οδός'.replace('ό', 'ο')],
      ['οδος', 'ΟΔΟΣ'],
      ['ΟΔΟΣΑ', 'οδος'],
      ['100% sure', '100%'],
      ['a_b', 'A_B'],
      [String.raw`back\slash`, String.raw`K\S`],
      ['日本語の説明', '本語'],
      ['🎉 Party 🎉', '🎉 p'],
      ["it's", "'"],
      ['anything', ''],
    ])('finds in %j the text %j', async (value, text) => {
      expect(await contains(value, text)).toBe(true)
    })

    it.each([
      ['100 sure', '100%'],
      ['axb', 'a_b'],
      ['abc', 'a%c'],
      ['äbc', 'abc'],
      ['slash', String.raw`\s`],
      [null, 'x'],
      [null, ''],
    ])('does not find in %j the text %j', async (value, text) => {
      expect(await contains(value, text)).toBe(false)
    })

    it('agrees with folding both sides, for texts of many scripts', async () => {
      const characters = Array.from('aAbBiIzZ09%_\\\'" -ßäÄéÉΣσςΩωДдЖж漢🎉')
      const text = array(constantFrom(...characters), { maxLength: 6 }).map((list) => list.join(''))
      await assert(
        asyncProperty(text, text, text, async (before, needle, after) => {
          expect(await contains(before + needle.toUpperCase() + after, needle.toLowerCase())).toBe(
            fold(before + needle.toUpperCase() + after).includes(fold(needle.toLowerCase())),
          )
          expect(await contains(before, needle)).toBe(fold(before).includes(fold(needle)))
        }),
        { numRuns: 150 },
      )
    })

    it('searches several columns, or none', async () => {
      await insertTestUser(db, { uuid: 'u1', first_name: 'Ada', last_name: null, phone: '123' })
      const find = (columns: string[], text: string) =>
        db.sql
          .selectFrom('users')
          .select('uuid')
          .where('uuid', '=', 'u1')
          .where(db.dialect.contains(columns, text))
          .execute()
      expect(await find(['users.first_name', 'last_name', 'phone'], 'aDA')).toHaveLength(1)
      expect(await find(['last_name', 'phone'], '23')).toHaveLength(1)
      expect(await find(['last_name', 'phone'], 'ada')).toHaveLength(0)
      expect(await find([], 'ada')).toHaveLength(0)
    })
  })

  it('sorts and compares keys by their bytes', async () => {
    const names = ['b', 'B', 'a', 'A', 'ä', 'Z', '_', '-', '0', 'é', 'ab', 'a-b', '語', '🎉']
    await db.write(() =>
      db.sql
        .insertInto('sequences')
        .values(names.map((name) => ({ name, value: 1 })))
        .execute(),
    )
    const rows = await db.sql.selectFrom('sequences').select('name').orderBy('name').execute()
    const byBytes = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(rows.map((row) => row.name)).toEqual(byBytes)
    const after = await db.sql.selectFrom('sequences').select('name').where('name', '>', 'a').execute()
    expect(after).toHaveLength(byBytes.length - byBytes.indexOf('a') - 1)
  })

  it('treats codes as case-sensitive, and rejects duplicates', async () => {
    const user = await insertTestUser(db)
    const email = (text: string) => insertTestUser(db, { email: text })
    await email('one@example.com')
    await email('One@example.com')
    await expect(email('one@example.com')).rejects.toThrow(/unique/i)
    expect(user).toBeTruthy()
  })

  it('returns the larger of two values, and ignores null', async () => {
    const greatest = async (left: number | null, right: number | null) => {
      const [a, b] = [sql<number>`cast(${left} as bigint)`, sql<number>`cast(${right} as bigint)`]
      const { rows } = await sql<{ value: number | null }>`
        select ${db.dialect.greatest(a, b)} as value`.execute(db.sql)
      return rows[0]?.value
    }
    expect(await greatest(1, 2)).toBe(2)
    expect(await greatest(null, 2)).toBe(2)
    expect(await greatest(1, null)).toBe(1)
    expect(await greatest(null, null)).toBe(null)
  })

  it('rejects text in a number column', async () => {
    const wrong = db.write(() =>
      db.sql
        .insertInto('sequences')
        .values({ name: 'wrong', value: 'many' as unknown as number })
        .execute(),
    )
    await expect(wrong).rejects.toThrow()
  })

  it('rejects rows without their user, and deleting a user who has rows', async () => {
    const user = await insertTestUser(db)
    const feedback = (uuid: string, user_uuid: string) =>
      db.write(() =>
        db.sql
          .insertInto('feedback')
          .values({ uuid, user_uuid, feedback: '', image_hash: null, created_at: 0 })
          .execute(),
      )
    await expect(feedback('f1', 'nobody')).rejects.toThrow(/foreign key/i)
    await feedback('f2', user)
    const remove = () => db.write(() => db.sql.deleteFrom('users').where('uuid', '=', user).execute())
    await expect(remove()).rejects.toThrow(/foreign key/i)
    await db.write(() => db.sql.deleteFrom('feedback').where('uuid', '=', 'f2').execute())
    await remove()
  })

  if (engine === 'sqlite') {
    it('uses a fast search for ASCII and supports other scripts', () => {
      const compiled = (text: string) =>
        db.sql
          .selectFrom('users')
          .select('uuid')
          .where(db.dialect.contains(['email'], text))
          .compile().sql
      expect(compiled('abc')).toContain('like')
      expect(compiled('äbc')).toContain('fold')
    })
  }
})
