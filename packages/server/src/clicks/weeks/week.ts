import { countedDimensions } from '@waymark/contract'
import { DAY_MS } from '../../work/times.ts'

export const WEEK_MS = 7 * DAY_MS
/** 1 January 1970 was a Thursday. */
export const FIRST_MONDAY_MS = 4 * DAY_MS

/** The first millisecond of the week, UTC. Weeks begin on Monday. */
export function weekOf(atMs: number): number {
  return Math.floor((atMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS
}

/** Links have one number for thirteen weeks: their keys are read once for all of these. */
const SEASON_MS = 13 * WEEK_MS

/** The first week of the season. */
export function seasonOf(week: number): number {
  return Math.floor((week - FIRST_MONDAY_MS) / SEASON_MS) * SEASON_MS + FIRST_MONDAY_MS
}

/**
 * The sums by quarter of an hour, three hours of each day in a part: the days of a time zone need few of them, and a code of
 * link-counts.ts then takes one byte.
 */
export const QUARTER_PARTS = [
  'quarters_0',
  'quarters_3',
  'quarters_6',
  'quarters_9',
  'quarters_12',
  'quarters_15',
  'quarters_18',
  'quarters_21',
] as const

/** The sums by day or by quarter of an hour, and those of each dimension: a question needs few of them. */
export const COUNT_PARTS = ['days', ...QUARTER_PARTS, ...countedDimensions] as const
export type CountPart = (typeof COUNT_PARTS)[number]

/** Rows of one week: what they were made from, the links and pages, and the sums. */
export type WeekPart = 'contents' | 'links' | CountPart

export interface WeekRow {
  readonly part: WeekPart
  readonly data: Uint8Array
}

/** Another number whenever rows are written in another way. Weeks of another form are not read: their clicks are. */
export const FORM = 2

/** What the sums of a week were made from. */
export interface WeekContents {
  /** How the rows are written. */
  readonly form: number
  /** Another one each time that the sums are made. */
  readonly id: string
  /** All batches that are in it. One that is not was closed later: the sums lack its clicks. */
  readonly batches: readonly string[]
  /** Days that are in it completely, those without a click too. */
  readonly days: readonly number[]
  /** Days that have clicks in it. */
  readonly busyDays: readonly number[]
}

export const packContents = (contents: WeekContents): Uint8Array => Buffer.from(JSON.stringify(contents))

export const unpackContents = (data: Uint8Array): WeekContents =>
  JSON.parse(Buffer.from(data).toString()) as WeekContents
