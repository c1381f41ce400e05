import { describe, expect, it } from 'vitest'
import { listWindow, toListed, wholeCount } from './listing.ts'

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const rows = (...numbers: number[]) => numbers.map((n) => ({ uuid: uuid(n), clicks: n * 10 }))
const cursor = (text: string): string => Buffer.from(text).toString('base64url')

describe('lists', () => {
  it('ask for one row more than is shown, newest first', () => {
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

  it('have a cursor as long as there is more', async () => {
    const window = listWindow({ limit: 2 })
    const page = await toListed(rows(9, 8, 7), window, 3, (row) => row.uuid)
    expect([page.items, page.total]).toEqual([[uuid(9), uuid(8)], 3])
    expect(listWindow({ cursor: page.nextCursor ?? '' }).after).toEqual({ value: 0, uuid: uuid(8) })
    expect((await toListed(rows(7), window, 3, (row) => row.uuid)).nextCursor).toBe(null)
    expect((await toListed(rows(9, 8), window, 2, (row) => row.uuid)).nextCursor).toBe(null)
  })

  it('are as long as their first page, if there is no second one', async () => {
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

  it('have cursors that name the order they belong to', async () => {
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
