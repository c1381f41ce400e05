import { expect, it } from 'vitest'
import { isCurrent } from './site.ts'

it.each([
  [undefined, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b",W/"a" ', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match %s: %s', (value, expected) => {
  expect(isCurrent(value, '"a"')).toBe(expected)
})
