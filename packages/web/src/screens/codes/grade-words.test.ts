import { expect, test } from 'vitest'
import { type Grade, isGood, millimetres, readIn, weaknessOf } from './grade-words.ts'

const grade = (letter: Grade['letter'], ...reasons: string[]): Grade => ({
  letter,
  reasons,
  min_width_mm: 14.84,
})

test('a grade is explained in words', () => {
  expect((['A', 'B', 'C', 'D', 'F'] as const).map((letter) => isGood(grade(letter)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(readIn(grade('C'))).toBe('Read in 8 or 9 of 12 conditions')
  expect(weaknessOf(grade('C', 'turned', 'small'))).toBe('May not scan when it is turned or small')
  expect(weaknessOf(grade('F', 'as it is'))).toBe('May not scan')
  expect(millimetres(14.84)).toBe('14.8 mm')
})
