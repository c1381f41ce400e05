import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('rows end in CRLF and numbers stay numbers', () =>
  expect(
    toCsv([
      ['day', 'clicks'],
      ['2026-11-15', 3],
    ]),
  ).toBe('day,clicks\r\n2026-11-15,3\r\n'))

test('commas, quotes and line breaks are quoted', () =>
  expect(toCsv([['a,b', 'say "hi"', 'two\nlines']])).toBe('"a,b","say ""hi""","two\nlines"\r\n'))

test('a value that would be a formula is not one', () =>
  expect(toCsv([['=1+1', '@cmd', '-2', -2]])).toBe("'=1+1,'@cmd,'-2,-2\r\n"))
