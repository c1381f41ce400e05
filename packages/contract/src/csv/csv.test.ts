import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkFirstRow, CsvFault, readCsv, toCsv, unguarded } from './index.ts'

const cellsOf = (text: string): (readonly string[])[] => [...readCsv(text)].map(({ cells }) => cells)
const faultOf = (text: string): unknown => {
  try {
    return cellsOf(text)
  } catch (error) {
    return error instanceof CsvFault ? [error.line, error.message] : error
  }
}

describe('writing', () => {
  test('rows end in CRLF, numbers stay numbers and null is empty', () =>
    expect(
      toCsv([
        ['day', 'clicks', 'note'],
        ['2026-11-15', 3, null],
      ]),
    ).toBe('day,clicks,note\r\n2026-11-15,3,\r\n'))

  test('commas, semicolons, quotes and line breaks are quoted', () =>
    expect(toCsv([['a,b', 'a;b', 'say "hi"', 'two\nlines']])).toBe(
      '"a,b","a;b","say ""hi""","two\nlines"\r\n',
    ))

  test('escapes values that would be formulas', () =>
    expect(toCsv([['=1+1', '@cmd', '-2', '+3', '\tx', '\rx', -2]])).toBe(
      `'=1+1,'@cmd,'-2,'+3,"'\tx","'\rx",-2\r\n`,
    ))

  test('escapes only text, not what the server generates', () =>
    expect(toCsv([['-a', '-a', '=1']], ['generated', 'text'])).toBe("-a,'-a,'=1\r\n"))

  test('reading removes exactly that escaping', () => {
    expect(["'=1", "''=1", "'tis", "'", '', '=1'].map(unguarded)).toEqual([
      '=1',
      "'=1",
      "'tis",
      "'",
      '',
      '=1',
    ])
  })
})

describe('reading', () => {
  test('accepts any line end, and none at the end, and ignores empty lines', () =>
    expect(cellsOf('a,b\r\n1,2\n\n\r\n3,4\r5,6')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ]))

  test('recognises a byte order mark, also before a quote', () => {
    expect(cellsOf('\ufefflink,tag\n')).toEqual([['link', 'tag']])
    expect(cellsOf('\ufeff"link","tag"\n')).toEqual([['link', 'tag']])
  })

  test('rejects a row of more than 200 cells at the first cell too many', () => {
    const row = (cells: number): string => Array.from({ length: cells }, (_, at) => at).join(',')
    expect(cellsOf(`${row(200)}\n${row(200)}`).map(({ length }) => length)).toEqual([200, 200])
    const tooMany = 'Must have at most 200 columns'
    expect(faultOf(`${row(201)}\n`)).toEqual([1, tooMany])
    expect(faultOf(`a,b\n1,2\n${row(201)}`)).toEqual([3, tooMany])
    // What follows is not parsed, so its open quote is not reported.
    expect(faultOf(`${','.repeat(200)},"`)).toEqual([1, tooMany])
  })

  test('rejects a first row of more than 65,536 characters', () => {
    const tooLong = [1, 'The first row must have at most 65536 characters']
    expect(cellsOf(`${'a'.repeat(65_536)}\nb`)).toHaveLength(2)
    expect(faultOf(`${'a'.repeat(65_537)}\nb`)).toEqual(tooLong)
    expect(faultOf(`"${'a'.repeat(65_537)}"\nb`)).toEqual(tooLong)
    expect(faultOf(`"${'a'.repeat(65_538)}`)).toEqual(tooLong)
    expect(cellsOf(`a\n${'b'.repeat(100_000)}`)).toHaveLength(2)
  })

  test('checks the first row in the beginning of a file, which can end anywhere', () => {
    const check = (start: string) => () => checkFirstRow(start)
    for (const start of ['', 'a,b\n1,"2', 'a,"b', '"a\n', 'a'.repeat(65_536)])
      expect(check(start)).not.toThrow()
    expect(check(','.repeat(201))).toThrow('at most 200 columns')
    expect(check('a'.repeat(65_538))).toThrow('at most 65536 characters')
    expect(check(`"${'a'.repeat(65_538)}`)).toThrow('at most 65536 characters')
  })

  test('detects the separator, whatever quoted names contain', () => {
    expect(cellsOf('a;b\n1,5;2')).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ])
    expect(cellsOf('a\tb')).toEqual([['a', 'b']])
    expect(cellsOf('"a;b;c",d')).toEqual([['a;b;c', 'd']])
    expect(cellsOf('alone')).toEqual([['alone']])
    const named = [...readCsv('\ufeff"sep=|"\r\nlink|title\r\na|b,c;d\r\n')]
    expect(named.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, 'link', 'title'],
      [3, 'a', 'b,c;d'],
    ])
  })

  test('returns the line where a record begins', () =>
    expect([...readCsv('a,b\n"two\r\nlines\rmore",1\n\nlast,"x\ny"')].map(({ line }) => line)).toEqual([
      1, 2, 6,
    ]))

  test('keeps quotes, separators and breaks of a quoted cell, and quotes inside a plain one', () => {
    expect(cellsOf('"a ""b"", c\nd",""\n6" pipe,x')).toEqual([
      ['a "b", c\nd', ''],
      ['6" pipe', 'x'],
    ])
    expect(cellsOf('a,b\n,\n"",')).toEqual([
      ['a', 'b'],
      ['', ''],
      ['', ''],
    ])
  })

  test('rejects a quoted cell of more than 1 MiB', () => {
    const quotes = (count: number): string => `a\n"${'""'.repeat(count)}"\n`
    expect(cellsOf(quotes(1 << 19))).toEqual([['a'], ['"'.repeat(1 << 19)]])
    expect(faultOf(quotes((1 << 19) + 1))).toEqual([
      2,
      'A quoted cell must have at most 1,048,576 characters',
    ])
  })

  test('reports where a quote is not closed or not doubled', () => {
    expect(faultOf('a,b\n1,2\n3,"4\n5,6')).toEqual([3, 'A quote is opened and never closed'])
    expect(faultOf('a,b\n"x"y,2')).toEqual([2, 'A quote inside a quoted cell must be doubled'])
    expect(faultOf('"')).toEqual([1, 'A quote is opened and never closed'])
  })

  test('restores anything that was written', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.array(fc.oneof(fc.string(), fc.stringMatching(/^'{0,3}[=+@\t\r\n;,"-]{0,3}.?$/)), {
            minLength: 2,
            maxLength: 5,
          }),
        ),
        (rows) => {
          // The first line determines the separator, like the header of all our files.
          const written = toCsv([['link', 'tag', 'code'], ...rows])
          expect(
            cellsOf(written)
              .slice(1)
              .map((cells) => cells.map(unguarded)),
          ).toEqual(rows)
        },
      ),
    ))

  test('throws only its own errors', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[",;\t\r\na]{0,40}$/), (text) => {
        expect(faultOf(text)).toBeInstanceOf(Array)
      }),
    ))
})
