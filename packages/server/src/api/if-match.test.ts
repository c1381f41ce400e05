import { expect, test } from 'vitest'
import { readIfMatch } from './if-match.ts'

test.each([
  [undefined, undefined],
  ['*', undefined],
  ['"2026-11-15T10:00:00.000Z"', ['2026-11-15T10:00:00.000Z']],
  ['2026-11-15T10:00:00.000Z', ['2026-11-15T10:00:00.000Z']],
  ['W/"a", "b"', ['a', 'b']],
  ['', ['']],
])('%j names the versions %j', (header, versions) => expect(readIfMatch(header)).toEqual(versions))
