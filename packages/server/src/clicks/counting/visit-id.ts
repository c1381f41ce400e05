import { DAY_MS } from '../../work/times.ts'

const FIRST_DAY_MS = Date.UTC(2020, 0, 1)
const DAYS = 2 ** 14
const VISITS = 2 ** 39

/**
 * One number for a visitor, a resource and a day. Days come first, so that old ones are deleted from the front of the
 * index. Both keys are random, and so is their sum: of ten million visits in a day, a hundred are taken for another's.
 */
export function visitId(dayMs: number, visitedKey: number, visitor: number): number {
  return firstVisitId(dayMs) + ((visitedKey + visitor) % VISITS)
}

/** All visits of earlier days have smaller numbers. */
export function firstVisitId(dayMs: number): number {
  return dayNumber(dayMs) * VISITS
}

/** Days since the first one that there can be. */
export function dayNumber(dayMs: number): number {
  const day = Math.floor((dayMs - FIRST_DAY_MS) / DAY_MS)
  return Math.min(Math.max(day, 0), DAYS - 1)
}

/** The number of the day of a visit. */
export function dayNumberOfVisit(id: number): number {
  return Math.floor(id / VISITS)
}

/** What is left of a visit's number without its day. */
export function withoutDay(id: number): number {
  return id % VISITS
}
