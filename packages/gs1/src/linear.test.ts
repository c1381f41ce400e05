import { describe, expect, it } from 'vitest'
import { GROWTH_LIMIT, growthOf, repeated } from '../../contract/src/schemas/growth.testing.ts'
import { parseDigitalLink } from './digital-link.ts'
import { parseBracketed, parseScanned } from './element-strings.ts'
import { beginsWithKey } from './keys.ts'

/* Paths, queries and strings of strangers must not cost more than reading them. */

const GTIN = '/01/09506000134352'
const LENGTH = 100_000

const readPath = (text: string): unknown => parseDigitalLink(text)
const readQuery = (text: string): unknown => parseDigitalLink(GTIN, text)

describe('reading takes linear time', () => {
  it.each<[name: string, read: (text: string) => unknown, textOf: (length: number) => string]>([
    // 10,000 of them and 40,000.
    ['qualifiers', readPath, repeated(GTIN, '/10/ABCDEF', '')],
    ['unknown qualifiers', readPath, repeated(GTIN, '/99/A', '')],
    ['empty segments', readPath, repeated(GTIN, '/', '')],
    ['keys', readPath, repeated('', GTIN, '')],
    ['one long value', readPath, repeated(`${GTIN}/10/`, 'A', '')],
    ['percent-encoding thrice', readPath, repeated(`${GTIN}/10/`, '%252541', '')],
    ['percent signs', readPath, repeated(`${GTIN}/10/`, '%', '')],
    ['overlong UTF-8', readPath, repeated(`${GTIN}/10/`, '%C0%AF', '')],
    ['UTF-8 that ends too early', readPath, repeated(`${GTIN}/10/`, '%F0%9F%98%80', '%F0')],
    ['pairs', readQuery, repeated('', '&a=b', '')],
    ['attributes', readQuery, repeated('', '&240=A', '')],
    [
      'attributes of all values',
      readQuery,
      (length) => Array.from({ length: length / 10 }, (_, at) => `91=${at}`).join('&'),
    ],
    ['unknown attributes', readQuery, repeated('a=b', '&9999=1', '')],
    ['one long name of digits', readQuery, repeated('', '1', '=1')],
    ['plus signs', readQuery, repeated('a=', '+', '')],
    ['equals signs', readQuery, repeated('', '=', '')],
    ['link types', readQuery, repeated('', '&linkType=gs1:pip', '')],
    ['elements in parentheses', parseBracketed, repeated('', '(91)A', '')],
    ['opening parentheses', parseBracketed, repeated('', '(', '')],
    ['escaped parentheses', parseBracketed, repeated('(91)', '\\(', '')],
    ['elements without separators', parseScanned, repeated('', '2011', '')],
    ['elements with separators', parseScanned, repeated('', '91A\u001d', '')],
    ['separators', parseScanned, repeated('91A', '\u001d', '')],
    ['a key that does not end', (text) => beginsWithKey(text), repeated('/', '0', '')],
    ['a prefix', (text) => beginsWithKey(text, text), repeated('/', 'a', '')],
  ])('%s', (_, read, textOf) => {
    expect(growthOf(read, textOf, LENGTH)).toBeLessThanOrEqual(GROWTH_LIMIT)
  })
})
