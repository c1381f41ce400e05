import { describe, expect, it } from 'vitest'
import { listWindow, type ListWindow, readPage, toListed, wholeCount } from './listing.ts'

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const rows = (...numbers: number[]) => numbers.map((n) => ({ uuid: uuid(n), clicks: n * 10 }))
const cursor = (text: string): string => Buffer.from(text).toString('base64url')

describe('lists', () => {
  it('read one row more than they show, newest first', () => {
    expect(listWindow({})).toEqual({
      take: 101,
      sort: 'created_at',
      ascending: false,
      after: undefined,
      search: undefined,
      uuid: undefined,
    })
    expect(listWindow({ limit: 2, search: 'x' }, { sort: 'clicks', order: 'asc' })).toMatchObject({
      take: 3,
      sort: 'clicks',
      ascending: true,
      search: 'x',
    })
    expect(listWindow({ search: '' }).search).toBe(undefined)
  })

  it('have a cursor while there is more', async () => {
    const window = listWindow({ limit: 2 })
    const page = await toListed(rows(9, 8, 7), window, 3, (row) => row.uuid)
    expect([page.items, page.total]).toEqual([[uuid(9), uuid(8)], 3])
    expect(listWindow({ cursor: page.nextCursor ?? '' }).after).toEqual({ value: 0, uuid: uuid(8) })
    expect((await toListed(rows(7), window, 3, (row) => row.uuid)).nextCursor).toBe(null)
    expect((await toListed(rows(9, 8), window, 2, (row) => row.uuid)).nextCursor).toBe(null)
  })

  it('end a page of very long rows early, and continue after it', async () => {
    const window = listWindow({ limit: 3 })
    const long = rows(9, 8, 7).map((row) => ({ ...row, rules: 'x'.repeat(3_000_000) }))
    const page = await toListed(long, window, 3, (row) => row.uuid)
    expect([page.items, page.total]).toEqual([[uuid(9), uuid(8)], 3])
    expect(listWindow({ cursor: page.nextCursor ?? '' }).after?.uuid).toBe(uuid(8))
    const one = [{ ...long[0]!, rules: 'x'.repeat(9_000_000) }]
    expect(await toListed(one, window, 1, (row) => row.uuid)).toEqual({
      items: [uuid(9)],
      total: 1,
      nextCursor: null,
    })
  })

  it('are read in growing parts, up to the end of the page', async () => {
    const readAll = async (limit: number, of: number, characters: number) => {
      const all = Array.from({ length: of }, (_, n) => ({ uuid: String(n), rules: 'x'.repeat(characters) }))
      const parts: number[] = []
      const read = (part: ListWindow) => {
        const from = part.after === undefined ? 0 : Number(part.after.uuid) + 1
        parts.push(part.take)
        return Promise.resolve(all.slice(from, from + part.take))
      }
      const placeOf = ({ uuid: name }: { uuid: string }) => ({ value: 0, uuid: name })
      const { rows: found, window } = await readPage(listWindow({ limit }), read, placeOf)
      expect(found).toEqual(all.slice(0, found.length))
      const { items, nextCursor } = await toListed(found, window, of, (row) => Number(row.uuid))
      return {
        parts,
        count: items.length,
        isWhole: wholeCount(found, window) === of,
        more: nextCursor !== null,
      }
    }
    expect(await readAll(100, 500, 1)).toEqual({ parts: [101], count: 100, isWhole: false, more: true })
    expect(await readAll(1_000, 50, 1)).toEqual({ parts: [101], count: 50, isWhole: true, more: false })
    expect(await readAll(1_000, 303, 1)).toMatchObject({ parts: [101, 202, 404], count: 303, isWhole: true })
    expect(await readAll(1_000, 1_001, 1)).toMatchObject({
      parts: [101, 202, 404, 294],
      count: 1_000,
      more: true,
    })
    expect(await readAll(1_000, 2_000, 40_000)).toEqual({
      parts: [101],
      count: 100,
      isWhole: false,
      more: true,
    })
    expect(await readAll(1_000, 300, 30_000)).toEqual({
      parts: [101, 202],
      count: 134,
      isWhole: true,
      more: true,
    })
  })

  it('have the length of their first page, if there is no second one', async () => {
    const window = listWindow({ limit: 2 })
    expect([[], [9], [9, 8], [9, 8, 7]].map((numbers) => wholeCount(rows(...numbers), window))).toEqual([
      0,
      1,
      2,
      undefined,
    ])
    const { nextCursor } = await toListed(rows(9, 8, 7), window, 3, (row) => row)
    expect(wholeCount(rows(7), listWindow({ limit: 2, cursor: nextCursor ?? '' }))).toBe(undefined)
  })

  it('have cursors that include their order', async () => {
    const byClicks = listWindow({ limit: 1 }, { sort: 'clicks' })
    const { nextCursor } = await toListed(
      rows(9, 8),
      byClicks,
      2,
      (row) => row,
      (row) => row.clicks,
    )
    const again = { limit: 1, cursor: nextCursor ?? '' }
    expect(listWindow(again, { sort: 'clicks' }).after).toEqual({ value: 90, uuid: uuid(9) })
    for (const sort of ['last_click_at', undefined])
      expect(() => listWindow(again, { sort })).toThrow(expect.objectContaining({ code: 'cursor_invalid' }))
  })

  it.each([
    'x',
    '',
    'AAAA',
    cursor(`${uuid(1)}'`),
    `${cursor(uuid(1))}x`,
    `${cursor(uuid(1))}!`,
    cursor('\0'.repeat(36)),
    cursor(`clicks:1:${uuid(1)}`),
    cursor(`created_at:${'9'.repeat(17)}:${uuid(1)}`),
    cursor(`created_at:-1:${uuid(1)}`),
  ])('refuse a cursor that is none of theirs: %s', (given) => {
    expect(() => listWindow({ cursor: given })).toThrow(expect.objectContaining({ code: 'cursor_invalid' }))
  })
})
