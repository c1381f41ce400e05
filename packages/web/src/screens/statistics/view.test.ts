import { expect, test } from 'vitest'
import { filtersOf, statisticsSearch, toggled } from './view.ts'

const defined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))

test('invalid parts of an address are ignored', () => {
  const search = statisticsSearch({
    range: '7d',
    from: '2026-13',
    interval: 'minute',
    compare: true,
    bot: 1,
    country: ['DE', 7, null],
    rule: 0,
    device: 'mobile',
    password: 'x',
  })
  expect(defined(search)).toEqual({
    range: '7d',
    compare: true,
    country: ['DE', '7'],
    rule: '0',
    device: 'mobile',
  })
  expect(filtersOf(search)).toEqual({ country: ['DE', '7'], rule: ['0'], device: ['mobile'] })
})

test('a value is added to a filter, and removed again', () => {
  expect(toggled({}, 'country', 'DE')).toEqual({ country: 'DE' })
  expect(toggled({ country: 'DE' }, 'country', 'FR')).toEqual({ country: ['DE', 'FR'] })
  expect(toggled({ country: ['DE', 'FR'] }, 'country', 'DE')).toEqual({ country: 'FR' })
  expect(toggled({ country: 'FR' }, 'country', 'FR')).toEqual({ country: undefined })
})
