import { countedDimensions, visitDimensions } from '@waymark/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { packClicks, unpackBatch } from '../batches/batch.ts'
import { scanBatch } from '../batches/batch-scan.ts'
import { QUARTER_MS } from '../batches/dimensions.ts'
import { type KeptClick, KINDS } from '../batches/kept-click.ts'
import { MAX_VALUES, OTHER_VALUES } from '../counting/value-counts.ts'
import { scopeKeys } from '../counting/scope-key.ts'
import { DAY_MS } from '../../work/times.ts'
import { KeyIndex } from './key-index.ts'
import { sumsOf, unpackCounts } from './link-counts.ts'
import { markKeys, unpackKeys } from './season-links.ts'
import { chooseLinks, linksOfWeek } from './week-links.ts'
import { type DayBatch, QUARTERS_OF_A_PART, sumWeek } from './week-sums.ts'
import { QUARTER_PARTS, weekOf, type WeekPart } from './week.ts'

const WEEK = Date.UTC(2026, 10, 9)
const uuidOf = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const RESOURCES = [uuidOf(3), uuidOf(1), uuidOf(2)]

const click = (day: number): fc.Arbitrary<KeptClick> =>
  fc.record({
    ...(Object.fromEntries(
      visitDimensions.map((name) => [name, fc.constantFrom('', 'x', 'y', 'z')]),
    ) as Record<(typeof visitDimensions)[number], fc.Arbitrary<string>>),
    resourceUuid: fc.constantFrom(...RESOURCES),
    detail: fc.constantFrom('0', '1'),
    atMs: fc.integer({ min: day, max: day + DAY_MS - 1 }),
    kind: fc.constantFrom(...KINDS),
    bot: fc.boolean(),
    firstOfResource: fc.boolean(),
    firstOfUser: fc.boolean(),
    scanned: fc.boolean(),
  })
/** Batches of several days, sometimes two of one. */
const batches: fc.Arbitrary<DayBatch[]> = fc.array(
  fc
    .integer({ min: 0, max: 6 })
    .chain((n) =>
      fc
        .array(click(WEEK + n * DAY_MS), { minLength: 1, maxLength: 40 })
        .map((clicks) => ({ day: WEEK + n * DAY_MS, clicks })),
    )
    .map(({ day, clicks }) => ({ day, batch: unpackBatch(packClicks(clicks, day)) })),
  { minLength: 1, maxLength: 5 },
)

/** Keys that the season had before, one of them of a link in the week. */
const KNOWN = scopeKeys([uuidOf(77), uuidOf(2), uuidOf(78)])

const rowsOf = (given: readonly DayBatch[]) => {
  const links = linksOfWeek(
    given.map(({ batch }) => batch),
    new Uint8Array(KNOWN.buffer),
  )!
  return { links, rows: [...sumWeek(WEEK, given, links)] }
}

/** What is read of a week for some links: by value, the empty ones left out. */
function readerOf(given: readonly DayBatch[], wanted: readonly string[]) {
  const { links, rows } = rowsOf(given)
  const parts = new Map<WeekPart, Uint8Array>(rows.map(({ part, data }) => [part, data]))
  const seasonKeys = links.seasonKeys === undefined ? KNOWN : unpackKeys(links.seasonKeys)
  expect(seasonKeys.slice(0, KNOWN.length)).toEqual(KNOWN)
  const marks = markKeys(seasonKeys, new KeyIndex(scopeKeys(wanted)))
  const ofWeek = chooseLinks(links.links, marks)
  return (part: WeekPart) => {
    const counts = unpackCounts(parts.get(part)!)
    return { texts: counts.texts, sums: sumsOf(counts, ofWeek) }
  }
}

test('adds up what going through the clicks finds, by everything', () => {
  fc.assert(
    fc.property(batches, fc.subarray(RESOURCES, { minLength: 1 }), (given, wanted) => {
      const read = readerOf(given, wanted)
      for (const by of countedDimensions) {
        const values = new Map<string, number>()
        const [hours, days] = [new Float64Array(7 * 96 * 3), new Float64Array(7 * 3)]
        const query = {
          resourceUuids: new Set(wanted),
          filters: new Map(),
          bot: undefined,
          by,
          fromMs: WEEK,
          toMs: WEEK + 7 * DAY_MS,
        }
        for (const { day, batch } of given)
          scanBatch(batch, day, query, {
            addTally: (at, { clicks, uniques, bots }) =>
              [uniques, clicks - uniques, bots].forEach((count, n) => {
                hours[((at - WEEK) / QUARTER_MS) * 3 + n]! += count
                days[Math.floor((at - WEEK) / DAY_MS) * 3 + n]! += count
              }),
            addValue: (value, count) => value !== '' && values.set(value, (values.get(value) ?? 0) + count),
          })
        for (const [n, part] of QUARTER_PARTS.entries()) {
          const size = QUARTERS_OF_A_PART * 3
          const days = Array.from({ length: 7 }, (_, day) => (day * QUARTER_PARTS.length + n) * size)
          const ofPart = days.flatMap((begin) => [...hours.subarray(begin, begin + size)])
          expect(read(part).sums).toEqual(Float64Array.from(ofPart))
        }
        expect(read('days').sums).toEqual(days)
        const { texts, sums } = read(by)
        const found = texts.map((text, n) => [text, sums[n]!] as const).filter(([, count]) => count > 0)
        expect(new Map(found)).toEqual(values)
      }
    }),
    { numRuns: 30 },
  )
})

const plainClick = fc.sample(click(WEEK), { numRuns: 1, seed: 1 })[0]!
const batchOf = (clicks: readonly Partial<KeptClick>[]): DayBatch[] => {
  const whole = clicks.map((fields) => ({ ...plainClick, kind: 'link' as const, bot: false, ...fields }))
  return [{ day: WEEK, batch: unpackBatch(packClicks(whole, WEEK)) }]
}

test('counts that are larger than a code holds', () => {
  const given = batchOf(
    Array.from({ length: 1_000 }, (_, n) => ({ resourceUuid: uuidOf(1 + (n % 2)), country: 'DE' })),
  )
  expect(readerOf(given, [uuidOf(1)])('country')).toEqual({ texts: ['DE'], sums: Float64Array.of(500) })
  expect(readerOf(given, [uuidOf(1), uuidOf(2)])('country').sums).toEqual(Float64Array.of(1_000))
})

test('values that visitors invent are counted together past a number', () => {
  const names = Array.from({ length: 2_500 }, (_, n) => ({ referrer: `${n}.example` }))
  const given = batchOf(
    [...names, ...names.slice(500)].map((fields) => ({ ...fields, resourceUuid: uuidOf(1) })),
  )
  const { texts, sums } = readerOf(given, [uuidOf(1)])('referrer')
  expect(texts).toHaveLength(MAX_VALUES + 1)
  expect(texts[MAX_VALUES]).toBe(OTHER_VALUES)
  expect([sums[0], sums[MAX_VALUES]]).toEqual([2, 2_500])
})

test('weeks begin on Monday, before 1970 as well', () => {
  expect(weekOf(WEEK)).toBe(WEEK)
  expect(weekOf(WEEK - 1)).toBe(WEEK - 7 * DAY_MS)
  expect(new Date(weekOf(-1)).toISOString()).toBe('1969-12-29T00:00:00.000Z')
})

test('a season of too many links has no numbers for the rest', () => {
  const full = Float64Array.from({ length: 2_000_000 }, (_, n) => 2 ** 40 + n)
  const [{ batch }] = batchOf([{}]) as [DayBatch]
  expect(linksOfWeek([batch], new Uint8Array(full.buffer))).toBeUndefined()
})
