import type { TextField } from './kept-click.ts'

/** Time is kept by the quarter of an hour: no time zone is apart from UTC by anything smaller. */
export const QUARTER_MS = 15 * 60_000
export const QUARTERS_OF_A_DAY = 96

/** What visits are counted by, and a field of every click. */
export const OF_A_VISIT = [
  'country',
  'referrer',
  'device',
  'browser',
  'system',
  'language',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'variant',
  'rule',
] as const satisfies readonly TextField[]

const SOURCES = ['link', 'qr'] as const

export function sourceOf(scanned: boolean): (typeof SOURCES)[number] {
  return scanned ? 'qr' : 'link'
}
