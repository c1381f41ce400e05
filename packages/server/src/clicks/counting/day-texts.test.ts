import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../work/times.ts'
import { addedTo, type DayCounts, eachValue, NO_TEXTS, readHours } from './day-texts.ts'
import { OTHER_VALUES, ValueCounts } from './value-counts.ts'

function readValues(text: string): [string, number][] {
  const values: [string, number][] = []
  eachValue(text, (value, clicks) => values.push([value, clicks]))
  return values
}

const DAY = Date.UTC(2026, 10, 15)

function referrers(...sent: string[]): DayCounts {
  const counts = new ValueCounts()
  for (const value of sent) counts.add(value)
  return { day: DAY, hours: [], values: { referrer: counts } }
}

const hour = (number: number, clicks: number, uniques: number, bots: number) => ({
  at: DAY + number * HOUR_MS,
  clicks,
  uniques,
  bots,
})

describe('a day as texts', () => {
  test('adds hours to those that were there', () => {
    const morning = addedTo(NO_TEXTS, { day: DAY, hours: [hour(9, 3, 2, 1), hour(0, 1, 1, 0)], values: {} })
    const later = addedTo(morning, { day: DAY, hours: [hour(23, 1, 0, 0), hour(9, 1, 1, 1)], values: {} })
    expect(readHours(later.hours, DAY)).toEqual([hour(9, 4, 3, 2), hour(0, 1, 1, 0), hour(23, 1, 0, 0)])
    expect(readHours('', DAY)).toEqual([])
  })

  test('leaves alone what nothing was counted by', () => {
    const known = addedTo(NO_TEXTS, referrers('a.example'))
    expect(addedTo(known, { day: DAY, hours: [], values: {} })).toEqual(known)
    expect(known).toEqual({ ...NO_TEXTS, referrer: '["a.example",1]' })
  })

  test('counts every known value, whatever it is called, in whatever pieces they come', () => {
    const names = fc.constantFrom('', '__proto__', 'constructor', '"', '[1,2]', 'é', '1')
    fc.assert(
      fc.property(fc.array(fc.array(names)), (batches) => {
        const texts = batches.reduce((known, sent) => addedTo(known, referrers(...sent)), NO_TEXTS)
        const expected = new Map<string, number>()
        // What is not known is what is missing to the day's clicks.
        for (const name of batches.flat()) if (name !== '') expected.set(name, (expected.get(name) ?? 0) + 1)
        expect(new Map(readValues(texts.referrer))).toEqual(expected)
      }),
    )
  })

  test('counts invented values together past a limit, in one batch or in several', () => {
    const sent = ['a.example', 'b.example', 'c.example', 'd.example', 'a.example']
    const expected = [
      ['a.example', 2],
      ['b.example', 1],
      [OTHER_VALUES, 2],
    ]
    expect(readValues(addedTo(NO_TEXTS, referrers(...sent), 2).referrer)).toEqual(expected)
    const oneByOne = sent.reduce((known, name) => addedTo(known, referrers(name), 2), NO_TEXTS)
    expect(readValues(oneByOne.referrer)).toEqual(expected)
  })
})
