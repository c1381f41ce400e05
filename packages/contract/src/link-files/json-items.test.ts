import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonItems } from './json-items.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const itemsOf = (text: string): unknown[] | undefined => {
  const bytes = bytesOf(text)
  const places = jsonItems(bytes)
  if (places === undefined) return undefined
  return Array.from(places, ({ from, to }) => JSON.parse(new TextDecoder().decode(bytes.subarray(from, to))))
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The expected result, by parsing the whole text. */
function expected(value: unknown, depth = 3): unknown[] | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isObject) ? value : undefined
  if (!isObject(value) || depth === 0) return undefined
  const children = Object.values(value) as unknown[]
  for (const child of children) {
    const found = expected(child, depth - 1)
    if (found !== undefined) return found
  }
  return children.length > 0 && children.every((child) => isObject(child) && 'url' in child)
    ? children
    : undefined
}

describe('the list of links in a JSON text', () => {
  test('is the same as when parsing the whole text', () => {
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.double({ noNaN: true }),
          fc.boolean(),
          fc.constant(null),
        ),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('url', 'a', 'b"', 'c\\', '{['), tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t\r\n'), (given, space) => {
        const text = JSON.stringify(given, null, space)
        const parsed: unknown = JSON.parse(text)
        expect(itemsOf(text)).toEqual(expected(parsed))
        expect(itemsOf(`\ufeff${text}\n`)).toEqual(expected(parsed))
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    '',
    '[',
    '[{}',
    '[{},]',
    '[{}]]',
    '[{} {}]',
    '{"a" [{}]}',
    '{a:[{}]}',
    '[{"a":"}]',
    '{"a":}',
    '[{}] x',
  ])('is not looked for in %s, which is no JSON', (text) =>
    expect(() => itemsOf(text)).toThrow('Must be valid JSON'),
  )

  test('is rejected for its depth or number of items before an item is parsed', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
    expect(itemsOf(`[{"a":${deep(30)}}]`)).toHaveLength(1)
    expect(() => itemsOf(`[{"a":${deep(31)}}]`)).toThrow('Must be nested at most 32 levels deep')
    expect(() => itemsOf('['.repeat(1_000_000))).toThrow('Must be nested at most 32 levels deep')
    expect(itemsOf(`[${'{},'.repeat(499_999)}{}]`)).toHaveLength(500_000)
    expect(() => itemsOf(`[${'{},'.repeat(500_000)}{}]`)).toThrow('Must have at most 500000 links')
    expect(itemsOf(`{"a":[${'0,'.repeat(600_000)}0],"links":[{}]}`)).toHaveLength(1)
  })

  test.each([
    ['backslashes', '\\\\'],
    ['escaped quotes', '\\"'],
    ['objects', '{},'],
    ['names', '"a":{"url":1},'],
    ['spaces', ' '],
  ])('is found in time linear in %s', (_name, piece) => {
    const cpuMs = (count: number): number => {
      const bytes = bytesOf(`[{"a":"${piece.repeat(count)}`)
      const before = process.threadCpuUsage()
      expect(() => jsonItems(bytes)).toThrow('Must be valid JSON')
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1000
    }
    const best = (count: number): number => Math.min(cpuMs(count), cpuMs(count), cpuMs(count))
    // Ten times the text: quadratic work would take a hundred times as long.
    expect(best(400_000) / Math.max(best(40_000), 2)).toBeLessThan(50)
  })
})
