import { describe, expect, test } from 'vitest'
import { countTicks, labelPositions } from './ticks.ts'

describe('countTicks', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [130, [0, 50, 100, 150]],
    [12_000, [0, 5000, 10_000, 15_000]],
  ])('%i clicks', (max, ticks) => expect(countTicks(max)).toEqual(ticks))
})

describe('labelPositions', () => {
  test('labels everything if there is room', () => expect(labelPositions(4, 6)).toEqual([0, 1, 2, 3]))
  test('always labels the last one', () => expect(labelPositions(30, 6)).toEqual([4, 9, 14, 19, 24, 29]))
  test('labels nothing without positions', () => expect(labelPositions(0, 6)).toEqual([]))
})
