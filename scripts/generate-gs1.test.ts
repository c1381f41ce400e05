import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { identifierOf, isMeant, numbersOf } from '../packages/gs1/src/identifiers.ts'
import { hasFixedLength } from '../packages/gs1/src/separators.ts'
import { PRIMARY_KEYS } from '../packages/gs1/src/keys.ts'
import type { Component } from '../packages/gs1/src/identifier.ts'
import { ALL_NUMBERS } from '../packages/gs1/src/values.testing.ts'
import { factRows, TABLE, tableSource } from './generate-gs1.ts'

it('the table in the repository is up to date with the generator', () => {
  expect(readFileSync(TABLE, 'utf8')).toBe(tableSource())
})

/** A component in the notation of the facts. */
const written = ({ set, min, max, isOptional, checks = [] }: Component): string => {
  const length = `${set}${min === max ? '' : '..'}${max}`
  return [isOptional === true ? `[${length}]` : length, ...checks].join(',')
}

const rows = factRows()

it('has the identifiers of the dictionary', () => {
  expect(rows.length).toBe(224)
  expect(ALL_NUMBERS.length).toBe(541)
  expect(new Set(ALL_NUMBERS).size).toBe(541)
})

it.each(rows)(
  '%s is in the table as in the facts',
  (range, flags, format, requires, excludes, key, title) => {
    const [first = '', last = first] = range.split('-')
    const row = identifierOf(first)
    if (row === undefined) throw new Error(`(${first}) is not in the table`)
    expect(numbersOf(row)).toHaveLength(Number(last) - Number(first) + 1)
    for (const ai of numbersOf(row)) {
      expect(identifierOf(ai)).toBe(row)
      // The first two digits say as much as the flag.
      expect([ai, hasFixedLength(ai)]).toEqual([ai, flags?.includes('*')])
    }
    expect(identifierOf(last)).toBe(row)
    expect({
      isFixed: row.isFixed ?? false,
      isAttribute: row.isAttribute ?? false,
      format: row.components.map(written).join(' '),
      requires: row.requires?.map((group) => group.join('+')).join(',') ?? '-',
      excludes: row.excludes?.join(',') ?? '-',
      key: row.qualifiers?.map((order) => order.join(',')).join('/') ?? '-',
      title: row.title ?? '-',
    }).toEqual({
      isFixed: flags?.includes('*'),
      isAttribute: flags?.includes('?'),
      format,
      requires,
      excludes,
      key: key === '.' ? '' : key,
      title,
    })
  },
)

it('names only identifiers that exist', () => {
  for (const [, , , requires = '', excludes = '', key = ''] of rows)
    for (const name of `${requires},${excludes},${key}`.split(/[-.,+/]/).filter(Boolean))
      expect([name, ALL_NUMBERS.some((ai) => isMeant(ai, name))]).toEqual([name, true])
})

it('has the primary keys of GS1 Digital Link', () => {
  expect(PRIMARY_KEYS).toEqual(
    '00 01 253 255 401 402 414 415 417 8003 8004 8006 8010 8013 8017 8018'.split(' '),
  )
})
