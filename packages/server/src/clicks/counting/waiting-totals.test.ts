import { expect, test } from 'vitest'
import { addedUp, textOfTotals } from './waiting-totals.ts'

const total = (resourceUuid: string, clicks: number, bots: number, lastAtMs: number | null) => ({
  resourceUuid,
  clicks,
  bots,
  lastAtMs,
})

test('what waits adds up, each resource once and in order', () => {
  const first = { links: [total('b', 1, 2, 50), total('c', 0, 1, null)], pages: [total('p', 1, 0, 9)] }
  const second = { links: [total('a', 3, 0, 7), total('b', 10, 0, 40), total('c', 1, 0, 3)], pages: [] }
  expect(addedUp([first, second].map(textOfTotals))).toEqual({
    links: [total('a', 3, 0, 7), total('b', 11, 2, 50), total('c', 1, 1, 3)],
    pages: [total('p', 1, 0, 9)],
  })
  expect(addedUp([])).toEqual({ links: [], pages: [] })
})
