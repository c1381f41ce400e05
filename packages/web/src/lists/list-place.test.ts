import { expect, test } from 'vitest'
import { placeIn } from './list-place.ts'

const FIRST = { search: undefined, page: undefined, cursor: undefined }

test('an address with a cursor is a later page', () =>
  expect(placeIn({ search: 'a', page: '3', cursor: 'x' })).toEqual({ search: 'a', page: 3, cursor: 'x' }))

test.each([{}, { page: '3' }, { page: '3', cursor: '' }, { cursor: 7 }])('%j is the first page', (address) =>
  expect(placeIn(address)).toEqual(FIRST),
)

test.each(['1', '0', '-1', '1.5', 'x', '10000000'])('page %s is not shown', (page) =>
  expect(placeIn({ page, cursor: 'x' })).toEqual({ ...FIRST, cursor: 'x' }),
)

test('a search for a number is a text', () => expect(placeIn({ search: 42 }).search).toBe('42'))
