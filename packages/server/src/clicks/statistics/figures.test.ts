import { expect, test } from 'vitest'
import { FigureSums, QUARTER_MS, rangeOf } from './figures.ts'
import type { FiguresQuery } from './statistics.ts'

test.each([
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 'hour'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', 'hour'],
  ['Atlantic/Azores', '2026-10-25T01:00:00Z', 'day'],
  ['America/Havana', '2026-11-01T05:00:00Z', 'month'],
] as const)('%s: no click around %s is missing in the points of a %s', (timezone, change, interval) => {
  const changeMs = Date.parse(change)
  const query: FiguresQuery = {
    workspaceUuid: '',
    scope: undefined,
    retainedFromMs: 0,
    fromMs: changeMs - 86_400_000,
    toMs: changeMs + 86_400_000,
    interval,
    timezone,
    previousFromMs: undefined,
    by: [],
    filters: new Map(),
    bot: undefined,
  }
  const range = rangeOf(query)
  const sums = new FigureSums(query, range)
  let quarters = 0
  for (let atMs = range.fromMs; atMs < range.toMs; atMs += QUARTER_MS, quarters++)
    sums.addTally(atMs, 1, 0, 0)
  expect(sums.series.totals.clicks).toBe(quarters)
})
