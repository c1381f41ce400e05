import { expect, test } from 'vitest'
import {
  filterOf,
  isNarrowed,
  linkSorts,
  orderOf,
  stateInAddress,
  stateOf,
  tagsInAddress,
  tagsOf,
} from './links-view.ts'

test('the list shows active links, newest first, and the address says nothing about that', () => {
  expect(filterOf({})).toEqual({
    search: undefined,
    tag: undefined,
    domain: undefined,
    owner: undefined,
    state: 'active',
  })
  expect([orderOf({}), stateInAddress('active'), stateInAddress('all')]).toEqual([{}, undefined, 'all'])
  expect(stateOf({ state: 'archived' })).toBe('archived')
})

test('all states are no filter, and short links are those that nothing owns', () =>
  expect(filterOf({ state: 'all', kind: 'short' })).toMatchObject({ state: undefined, owner: 'none' }))

test.each([[[]], [['a']], [['a', 'b']]])('the tags %j come back from the address', (tags) =>
  expect(tagsOf({ tag: tagsInAddress(tags) })).toEqual(tags),
)

test('a link must have all tags of the filter', () =>
  expect([filterOf({ tag: 'a' }).tag, filterOf({ tag: ['a', 'b'] }).tag]).toEqual([['a'], ['a', 'b']]))

test('no two sort orders are the same', () =>
  expect(new Set(linkSorts.map((sort) => JSON.stringify(orderOf({ sort })))).size).toBe(linkSorts.length))

test('a state alone does not narrow the list', () => {
  expect(isNarrowed({ state: 'expired', page: 2, cursor: 'x' })).toBe(false)
  for (const view of [{ search: 'a' }, { tag: 'a' }, { domain: 'a' }, { kind: 'short' } as const])
    expect(isNarrowed(view)).toBe(true)
})
