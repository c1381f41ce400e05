import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { errorText, card, rowsOf } from '../print.ts'
import { errorLine } from './output.ts'
import { line, shown, shownJson } from './shown.ts'
import { table } from './table.ts'

const OVERRIDE = '\u202e'

/** What is left of a line outside of isolates; undefined if they are not balanced. */
function outsideOf(text: string): string | undefined {
  let depth = 0
  let outside = ''
  for (const character of text) {
    if (/[\u2066-\u2068]/.test(character)) depth++
    else if (character === '\u2069') depth--
    else if (depth === 0) outside += character
    if (depth < 0) return undefined
  }
  return depth === 0 ? outside : undefined
}

describe('a text of others', () => {
  test.each([
    ['plain', 'plain'],
    ['Größe 😀', 'Größe 😀'],
    ['\u001b]0;title\u0007', String.raw`\u001b]0;title\u0007`],
    ['two\r\n\tlines\u2028\u009b2J', String.raw`two\r\n\tlines\u2028\u009b2J`],
    [`a${OVERRIDE}b`, `\u2068a${OVERRIDE}b\u2069`],
    ['שלום', '\u2068שלום\u2069'],
    [`\u2069${OVERRIDE}b`, `\u2068\\u2069${OVERRIDE}b\u2069`],
    ['\u2067\u2066a', '\u2068\u2067\u2066a\u2069\u2069\u2069'],
    ['\u2067a\u2069\u2069', '\u2068\u2067a\u2069\\u2069\u2069'],
  ])('%j is shown as %j', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it('never reaches what is around it', () => {
    const part = fc.constantFrom(
      'a',
      'א',
      OVERRIDE,
      '\u2066',
      '\u2067',
      '\u2068',
      '\u2069',
      '\u202c',
      '\u001b',
      '\n',
      ' ',
    )
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => parts.join('')),
        (text) => {
          const outside = outsideOf(line`Removed ${text}, 3 left`)
          expect(outside).toMatch(/^Removed .*, 3 left$/)
          expect(outside).not.toMatch(/[\p{Bidi_Control}\p{Cc}א]/u)
        },
      ),
    )
  })

  it('is shown in tables, cards, lists and errors', () => {
    const text = `x${OVERRIDE}\u001by`
    const expected = `\u2068x${OVERRIDE}\\u001by\u2069`
    expect(
      table([
        [text, 'b'],
        ['c', 'd'],
      ]),
    ).toBe(`${expected}  b\nc         d`)
    expect(card({ title: text })).toBe(`title  ${expected}`)
    expect(rowsOf([{ title: text }], ['title'])).toBe(`title\n${expected}`)
    expect(errorLine(false, `There is no ${text}`)).toBe(
      `waymark: \u2068There is no x${OVERRIDE}\\u001by\u2069\n`,
    )
    expect(errorText(new Error(text), false)).toContain(`x${OVERRIDE}\\u001by\u2069`)
  })

  it('stays as it is in JSON, in which programs read it', () => {
    const value = { title: `x${OVERRIDE}\u009b\u2028\u001by`, list: [1] }
    expect(JSON.parse(shownJson(value, 2))).toEqual(value)
    expect(shownJson(value, 2)).toBe(
      `{\n  "title": "x\\u202e\\u009b\\u2028\\u001by",\n  "list": [\n    1\n  ]\n}`,
    )
    expect(errorLine(true, `x${OVERRIDE}`)).toBe(`{"error":"x${OVERRIDE}"}\n`)
  })
})

it('aligns columns', () => {
  expect(
    table([
      ['code', 'clicks'],
      ['a', '1'],
    ]),
  ).toBe('code  clicks\na     1')
})
