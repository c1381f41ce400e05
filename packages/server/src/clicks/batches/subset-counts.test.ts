import { countedDimensions, visitDimensions } from '@waymark/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../work/times.ts'
import { eachValue, readHours } from '../counting/day-texts.ts'
import { packClicks, unpackBatch } from './batch.ts'
import { scanBatch } from './batch-scan.ts'
import { type KeptClick, KINDS } from './kept-click.ts'
import { subsetCounts } from './subset-counts.ts'

const DAY = Date.UTC(2026, 10, 9)
const RESOURCES = ['a', 'b', 'c']

const clicks: fc.Arbitrary<KeptClick[]> = fc.array(
  fc.record({
    ...(Object.fromEntries(
      visitDimensions.map((name) => [name, fc.constantFrom('', 'x', 'y', 'z')]),
    ) as Record<(typeof visitDimensions)[number], fc.Arbitrary<string>>),
    resourceUuid: fc.constantFrom(...RESOURCES),
    detail: fc.constantFrom('0', '1'),
    atMs: fc.integer({ min: DAY, max: DAY + DAY_MS - 1 }),
    kind: fc.constantFrom(...KINDS),
    bot: fc.boolean(),
    firstOfResource: fc.boolean(),
    firstOfUser: fc.boolean(),
    scanned: fc.boolean(),
  }),
  { minLength: 1, maxLength: 60 },
)

test('adds up what going through the clicks finds, by everything', () => {
  fc.assert(
    fc.property(clicks, fc.subarray(RESOURCES, { minLength: 1 }), (some, wanted) => {
      const batch = unpackBatch(packClicks(some, DAY))
      const resourceUuids = new Set(wanted)
      const counts = subsetCounts(batch, DAY, resourceUuids)
      for (const by of countedDimensions) {
        const values = new Map<string, number>()
        const tallies: unknown[] = []
        const query = {
          resourceUuids,
          filters: new Map(),
          bot: undefined,
          by,
          fromMs: DAY,
          toMs: DAY + DAY_MS,
        }
        scanBatch(batch, DAY, query, {
          addTally: (at, tally) => tallies.push({ at, ...tally }),
          addValue: (value, count) => value !== '' && values.set(value, count),
        })
        expect(readHours(counts.hours, DAY)).toEqual(tallies)
        const found = new Map<string, number>()
        eachValue(counts[by], (value, clicks) => found.set(value, clicks))
        expect(found).toEqual(values)
      }
    }),
  )
})
