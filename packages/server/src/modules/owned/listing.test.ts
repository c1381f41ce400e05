import { describe, expect, it } from 'vitest'
import { listWindow, toListed } from './listing.ts'

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const rows = (...numbers: number[]) => numbers.map((n) => ({ uuid: uuid(n) }))

describe('lists', () => {
  it('ask for one row more than is shown', () => {
    expect(listWindow({})).toEqual({ take: 101, before: undefined, search: undefined, uuid: undefined })
    expect(listWindow({ limit: 2, search: 'x' })).toEqual({
      take: 3,
      before: undefined,
      search: 'x',
      uuid: undefined,
    })
    expect(listWindow({ search: '' }).search).toBe(undefined)
  })

  it('have a cursor as long as there is more', () => {
    const window = listWindow({ limit: 2 })
    const page = toListed(rows(9, 8, 7), window, 3, (row) => row.uuid)
    expect([page.items, page.total]).toEqual([[uuid(9), uuid(8)], 3])
    expect(listWindow({ cursor: page.nextCursor ?? '' }).before).toBe(uuid(8))
    expect(toListed(rows(7), window, 3, (row) => row.uuid).nextCursor).toBe(null)
    expect(toListed(rows(9, 8), window, 2, (row) => row.uuid).nextCursor).toBe(null)
  })

  it.each([
    'x',
    '',
    'AAAA',
    Buffer.from(`${uuid(1)}'`).toString('base64url'),
    Buffer.from('\0'.repeat(36)).toString('base64url'),
  ])('refuse a cursor that is none of theirs: %s', (cursor) => {
    expect(() => listWindow({ cursor })).toThrow(expect.objectContaining({ code: 'cursor_invalid' }))
  })
})
