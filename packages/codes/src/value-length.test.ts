import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isChecked } from './check-digit.ts'
import { isGs1, SYMBOLOGIES, symbologies, type Symbology } from './symbology.ts'
import { captionFault, lengthFault } from './value-length.ts'

const plain = SYMBOLOGIES.filter((symbology) => !isGs1(symbology))

test.each(plain)('%s counts characters, not bytes or UTF-16 units', (symbology) => {
  const { longest, name } = symbologies[symbology]
  const character = isChecked(symbology) ? '7' : '😀'
  expect(lengthFault(character.repeat(longest), symbology)).toBeUndefined()
  expect(lengthFault(character.repeat(longest + 1), symbology)).toBe(
    `This has ${longest + 1} characters, and ${name} holds at most ${longest}`,
  )
})

test.each<[text: string, length: number]>([
  // The data of 01 has a fixed length; that of 10, 21 and 240 ends with a separator, unless it is last.
  [`(01)09506000134352(10)${'A'.repeat(30)}`, 48],
  [`(01)09506000134352(10)${'A'.repeat(31)}`, 49],
  [`(10)${'A'.repeat(20)}(21)${'B'.repeat(23)}`, 48],
  [`(10)${'A'.repeat(20)}(21)${'B'.repeat(24)}`, 49],
  [`(240)${'C'.repeat(45)}`, 48],
  [`(10)A(21)B(240)${'C'.repeat(37)}`, 48],
  [`(10)A(21)B(240)${'C'.repeat(38)}`, 49],
])('in GS1 data, identifiers and separators count and parentheses do not: %s', (text, length) => {
  const fault = `This has ${length} characters, and GS1-128 holds at most 48`
  expect(lengthFault(text, 'gs1-128')).toBe(length > 48 ? fault : undefined)
})

test('a URL in Code 128 may be as long as the widest picture', () => {
  expect(lengthFault('x'.repeat(300), 'code128', true)).toBeUndefined()
  expect(lengthFault('x'.repeat(501), 'datamatrix', true)).toMatch(/501 .* 500/)
})

test('a value that is its own caption has at most 200 characters', () => {
  const value = (length: number): string => `(91)${'A'.repeat(length - 4)}`
  expect(captionFault(value(200), 'gs1-datamatrix', null)).toBeUndefined()
  expect(captionFault(value(201), 'gs1-datamatrix', '')).toMatch(/201 characters.* at most 200/)
  expect(captionFault(value(201), 'gs1-datamatrix', 'Lot 1')).toBeUndefined()
  expect(captionFault(value(201), 'datamatrix', null)).toBeUndefined()
})

test('the guide has the maximum of each symbology', () => {
  const guide = readFileSync(new URL('../../../docs/codes.md', import.meta.url), 'utf8')
  const rows = [...guide.matchAll(/^\| `([\w-]+)` \| ([^|]+) \| (\d+) \|/gm)]
  expect(rows.map(([, symbology, name, longest]) => [symbology, name, Number(longest)])).toEqual(
    Object.entries(symbologies).map(([symbology, { name, longest }]) => [
      symbology as Symbology,
      name,
      longest,
    ]),
  )
})
