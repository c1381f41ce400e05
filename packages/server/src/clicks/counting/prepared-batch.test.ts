import { expect, test } from 'vitest'
import type { Owner } from '../batches/user-days.ts'
import { enrichedClick } from '../testing.ts'
import { totalsOf } from './click-totals.ts'
import { prepareBatch, withoutUsers } from './prepared-batch.ts'

const owner = (userUuid: string): Owner => ({ userUuid, ofCode: false, domain: '', name: 'x' })
const DAY = Date.UTC(2026, 10, 15)
const [ONE, OTHER] = ['019a0000-0000-7000-8000-00000000000e', '019a0000-0000-7000-8000-00000000000f']

test('nothing is left of a user who was erased after the batch was prepared', () => {
  const clicks = ['a', 'b', 'gone'].map((resourceUuid) => enrichedClick(resourceUuid, DAY))
  const prepared = prepareBatch(
    { clicks, totalsWait: true },
    totalsOf(clicks),
    new Map([
      ['a', owner(ONE)],
      ['b', owner(OTHER)],
    ]),
  )
  expect([prepared.counted, prepared.rows.length, prepared.userUuids]).toEqual([2, 2, new Set([ONE, OTHER])])
  const left = withoutUsers(prepared, { clicks, totalsWait: true }, new Set([OTHER]))
  expect(left.rows.map(({ userDay }) => userDay.clicks)).toEqual([[clicks[0]]])
  expect([left.totals.links.length, left.waiting?.includes('"b"')]).toEqual([1, false])
  expect([left.counted, [...left.owners.keys()], left.visits.ids.length]).toEqual([1, ['a'], 2])
})
